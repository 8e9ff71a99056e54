// Node prints the alternative names of a certificate as one text, in which one name can pretend to be several; so they are read
// from the certificate itself.
import { extensionsIn } from './certificate-extensions.ts';
import { elementsIn } from './der.ts';

const subjectAltName = '2.5.29.17';

/** The kinds of names by their tags, both of which are ASCII [5280 §4.2.1.6]. */
const tags = { email: 0x81, uri: 0x86 } as const;

/** The names of one kind; none if the extension is there twice, which is not permitted [5280 §4.2]. */
export function alternativeNamesIn(certificate: Buffer, kind: keyof typeof tags): string[] {
  const values = extensionsIn(certificate).filter(({ id }) => id === subjectAltName);
  if (values.length !== 1) return [];
  const [names] = elementsIn(values[0]?.value);
  return (
    elementsIn(names?.content)
      .filter(({ tag }) => tag === tags[kind])
      // one character for each byte, so what is not ASCII equals no registered name
      .map(({ content }) => content.toString('latin1'))
  );
}
