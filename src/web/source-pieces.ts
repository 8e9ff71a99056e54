/** A piece of a program, with what it is if the page colours it. */
export interface SourcePiece {
  text: string;
  kind?: string | undefined;
}

/** What is coloured, the same in every language of the programs; the names of JSON are coloured like keywords. In none is the comment sign of another one something else after a space. */
const coloured =
  /(?<comment>(?<!\S)(?:\/\/|#|\/\*|<!--).*)|(?<keyword>"\w+"(?=:)|(?<![^.]\.|[@-])\b(?:as|async|await|catch|class|const|create|def|elif|else|except|export|finally|for|from|func|function|grant|if|import|in|let|new|not|or|package|raise|return|select|throw|try|var|view|while|with|yield)\b(?!<))|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`)/g;

/** Cuts a program into pieces, which together are the program. */
export function sourcePieces(text: string): SourcePiece[] {
  const pieces: SourcePiece[] = [];
  let end = 0;
  for (const { 0: found, index, groups = {} } of text.matchAll(coloured)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    pieces.push({ text: text.slice(end, index) }, { text: found, kind });
    end = index + found.length;
  }
  return [...pieces, { text: text.slice(end) }];
}
