/** A statement of a file, from its first word on, without its semicolon. */
export interface SqlStatement {
  text: string;
  /** the line in the file, counted from 1 */
  line: number;
  /** the text without comments, and with nothing in its strings and quoted names */
  bare: string;
}

/** What may contain a semicolon without ending a statement, each from its first character on; unclosed, it reaches to the end. */
const dollarQuoted = /(\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[\s\S]*?(?:\1|$(?![\s\S]))/iy;
const quoted = /'[^']*(?:''[^']*)*(?:'|$(?![\s\S]))/y;
const escaped = /e'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*(?:'|$(?![\s\S]))/iy;
const named = /"[^"]*(?:""[^"]*)*(?:"|$(?![\s\S]))/y;
const word = /[a-z_\u0080-\uffff][\w$\u0080-\uffff]*/iy;
const space = /(?:\s|--.*)+/y;

function tokenAt(text: string, at: number, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    pattern.lastIndex = at;
    const [token] = pattern.exec(text) ?? [];
    if (token !== undefined) return token;
  }
  return undefined;
}

/** A comment can contain others. */
function blockCommentAt(text: string, start: number): string | undefined {
  if (!text.startsWith('/*', start)) return undefined;
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return text.slice(start, marks.lastIndex);
  }
  return text.slice(start);
}

/** In the body of a function between `begin atomic` and `end` a semicolon ends nothing. */
function blocksAfter(token: string, bare: string, blocks: number): number {
  const keyword = token.toLowerCase();
  if (keyword === 'atomic' && /\bbegin\s*$/i.test(bare)) return blocks + 1;
  if (blocks > 0 && keyword === 'case') return blocks + 1;
  return blocks > 0 && keyword === 'end' ? blocks - 1 : blocks;
}

/**
 * Splits a file into its statements, one after the other: to look for what no seed can have, and to report all errors of a file of which
 * Postgres reports the first.
 */
export function* splitStatements(text: string): Generator<SqlStatement> {
  let [start, bare, blocks, line, counted] = [-1, '', 0, 1, 0];
  const end = (at: number): SqlStatement => {
    line += text.slice(counted, start).split('\n').length - 1;
    const statement = { text: text.slice(start, at), line, bare: bare.trim() };
    [counted, start, bare, blocks] = [start, -1, '', 0];
    return statement;
  };
  for (let at = 0; at < text.length; ) {
    const gap = tokenAt(text, at, [space]) ?? blockCommentAt(text, at);
    const literal = gap === undefined ? tokenAt(text, at, [quoted, escaped, named, dollarQuoted]) : undefined;
    const token = gap ?? literal ?? tokenAt(text, at, [word]) ?? text.charAt(at);
    const isEnd = token === ';' && blocks === 0;
    if (isEnd && start >= 0) yield end(at);
    else if (!isEnd && gap === undefined && start < 0) start = at;
    if (gap === undefined && literal === undefined) blocks = blocksAfter(token, bare, blocks);
    if (start >= 0) bare += gap === undefined ? (literal === undefined ? token : "''") : ' ';
    at += token.length;
  }
  if (start >= 0) yield end(text.length);
}
