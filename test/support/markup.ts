/** An element's name and attributes, values as they are written. */
export interface Tag {
  name: string;
  attributes: Map<string, string>;
}

const pattern = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>/y;

/**
 * All tags of a page that is written as strictly as ours are: quoted attributes, nothing else with an angle bracket.
 * Whatever a name from outside could add to the markup is either not of this form, or stands in the list.
 */
export function tagsOf(html: string): Tag[] {
  const text = html.replace(/^<!doctype html>\n/, '');
  const tags: Tag[] = [];
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) throw new Error(`this is no tag of ours: ${text.slice(at, at + 200)}`);
    const [whole, closing, name = '', attributes = ''] = found;
    const pairs = [...attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)];
    if (!closing) tags.push({ name, attributes: new Map(pairs.map(([, key = '', value = '']) => [key, value])) });
    at += whole.length;
  }
  return tags;
}

/** Markup that our templates never write: foreign scripts and elements, event handlers, inline styles, executable addresses. */
export function foreignMarkup(html: string): string[] {
  const [scripts, others] = [tagsOf(html).filter(({ name }) => name === 'script'), tagsOf(html)];
  const known =
    /^(html|head|meta|title|link|script|body|a|header|form|input|span|bdi|button|nav|main|h[1-3]|p|div|ul|ol|li|footer|img|dl|dt|dd|code|fieldset|legend|label|section|time|strong|small|textarea|hr|b|br|svg|path|mark|table|tr|td|th|pre|details|summary)$/;
  return [
    ...scripts.filter(({ attributes }) => !attributes.get('src')?.startsWith('/assets/')).map(() => 'script'),
    ...others.filter(({ name }) => !known.test(name)).map(({ name }) => name),
    ...others.flatMap(({ attributes }) =>
      [...attributes]
        .filter(
          ([key, value]) =>
            key.startsWith('on') ||
            key === 'style' ||
            key === 'srcdoc' ||
            (/^(href|src|action|formaction)$/.test(key) &&
              !/^(\/(?!\/)|\?|#|https:\/\/|http:\/\/(localhost|127\.0\.0\.1))/.test(value)),
        )
        .map(([key, value]) => `${key}=${value}`),
    ),
  ];
}
