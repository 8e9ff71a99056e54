/** By which a name is looked for: how it begins, its second and its last word. Each expression has an index. */
export const wordsOfName = (column: string): readonly string[] => [
  `lower(${column})`,
  `split_part(lower(${column}), ' ', 2)`,
  `substring(lower(${column}) from '^[^ ]+ [^ ]+ (?:.* )?([^ ]+)$')`,
];
