import { elementsIn, oidOf, signedFieldsOf } from './der.ts';

export interface Extension {
  /** the object identifier in [5280 §4.2.1], such as 2.5.29.17 */
  id: string;
  /** whether whoever does not know the extension must refuse the certificate */
  isCritical: boolean;
  /** in DER */
  value: Buffer;
}

const extensionsTag = 0xa3;
const booleanTag = 0x01;

export function extensionsIn(certificate: Buffer): Extension[] {
  const optional = signedFieldsOf(certificate).find(({ tag }) => tag === extensionsTag);
  const [list] = elementsIn(optional?.content);
  return elementsIn(list?.content).map(({ content }) => {
    const [type, ...rest] = elementsIn(content);
    return {
      id: oidOf(type?.content),
      isCritical: rest[0]?.tag === booleanTag && rest[0].content[0] !== 0,
      value: rest.at(-1)?.content ?? Buffer.alloc(0),
    };
  });
}
