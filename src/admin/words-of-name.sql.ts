/**
 * By which a name is looked for: how it begins, its second, third, last but one and last word, so each word of a name of up to five.
 * Each expression has an index.
 */
export const wordsOfName = (column: string): readonly string[] => [
  `lower(${column})`,
  `split_part(lower(${column}), ' ', 2)`,
  `substring(lower(${column}) from '^[^ ]+ [^ ]+ ([^ ]+) ')`,
  `substring(lower(${column}) from '^[^ ]+ [^ ]+ [^ ]+ (?:.* )?([^ ]+) [^ ]+$')`,
  `substring(lower(${column}) from '^[^ ]+ [^ ]+ (?:.* )?([^ ]+)$')`,
];
