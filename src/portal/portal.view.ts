import type { Visitor } from '../web/views/parts.ts';

/** Words that are the same in every language, with commas between them; `href` is a path of this server or an address. */
export interface Term {
  code: string;
  href?: string | undefined;
  /** Each of the words is a link to the page of its name at this path. */
  each_at?: string | undefined;
  /** Each of the words can be linked to, by its name. */
  is_target?: boolean | undefined;
  /** the key of what the link is called, where it leads to a section */
  title?: string | undefined;
  /** a number within a sentence, which is no code */
  is_plain?: boolean | undefined;
}

/** The text of a key, with terms at its placeholders; with `href` it is a link. */
export interface PortalSentence {
  key: string;
  values?: Readonly<Record<string, Term>> | undefined;
  href?: string | undefined;
}

/** A permission, as the consent page says it. */
export interface PortalPermission {
  permission: { scope: string; sentence: string; sentences: Readonly<Record<string, string>> };
}

export type PortalWords = PortalSentence | Term | PortalPermission;

export interface PortalProgram {
  /** the id of the program's element, for the copy button */
  id: string;
  /** what it is, where its name does not say so */
  label?: PortalSentence | undefined;
  name: string;
  file?: string | undefined;
  /** the language of the program, where the reader can choose from several programs */
  language?: string | undefined;
  text: string;
  /** who needs it, where most readers do not: it is folded away */
  folded?: PortalSentence | undefined;
  about: readonly PortalSentence[];
}

export interface PortalFact {
  name: PortalWords;
  about: readonly PortalWords[];
  /** what is said below, in small letters */
  details?: readonly PortalWords[] | undefined;
  /** what stands on the page of its name: the plain text repeats it */
  behind?: readonly PortalWords[] | undefined;
  /** whether a request must have the parameter of this name, or when it must */
  is_required?: boolean | PortalSentence | undefined;
  /** what the member of this name is in JSON */
  type?: string | undefined;
  /** The value is an address that readers copy; its element has this id. */
  copied_id?: string | undefined;
  /** where the link of the name leads, for readers; the plain text has it in the link */
  path?: string | undefined;
}

/** What a person does next, and how that looks. The plain text only names a program that a chapter has as well. */
export interface PortalStep extends PortalSentence {
  program?: PortalProgram | undefined;
  /** the response to it */
  answer?: PortalProgram | undefined;
}

/** What the consent page asks: one question, and things that a person has. */
export interface PortalChoice {
  /** below which the question stands; undefined: that of this documentation */
  permission?: { name: string; sentence: string; sentences: Readonly<Record<string, string>> } | undefined;
  /** undefined: the question of this documentation */
  sentence?: string | undefined;
  sentences?: Readonly<Record<string, string>> | undefined;
  /** whether people can choose everything, and what that is called; null: the text of this server */
  may_be_all: boolean;
  all_sentence: string | null;
  all_sentences: Readonly<Record<string, string>>;
  entries: readonly { identifier: string; label: string; is_chosen: boolean }[];
}

export interface PortalSection {
  heading?: PortalSentence;
  /** The end of the heading's key, unless several sections of the page have that heading. */
  anchor?: string;
  sentences?: readonly PortalSentence[] | undefined;
  /** Links as buttons, the most important first. The plain text has them in its sentences. */
  actions?: readonly PortalSentence[] | undefined;
  choice?: PortalChoice | undefined;
  steps?: readonly PortalStep[] | undefined;
  bullets?: readonly PortalSentence[] | undefined;
  facts?: readonly PortalFact[] | undefined;
  /** Facts of which the whole tile is the link of the name. */
  tiles?: readonly PortalFact[] | undefined;
  /** what is said of the programs, or of all that stands above */
  remarks?: readonly PortalSentence[] | undefined;
  programs?: readonly PortalProgram[] | undefined;
  /** what is refused, below the programs: who follows the steps needs the program first */
  errors?: readonly PortalFact[] | undefined;
  /** The programs are a request and its response, side by side where there is room. */
  is_exchange?: boolean | undefined;
  /** Links to the programs stand above them, because the first hides that there are more. */
  has_jumps?: boolean | undefined;
}

/** Where a section is. */
export interface FoundPlace {
  /** the key of its chapter's title */
  title: string;
  heading: PortalSentence | undefined;
  href: string;
}

/** A section that a search has found. */
export interface FoundSection extends FoundPlace {
  /** sections with the same excerpt */
  also: readonly FoundPlace[];
  /** the example of which the excerpt is a line */
  program: string | undefined;
  /** the text in which most words were found, or what the page is about, with the words that were found */
  excerpt: readonly { text: string; is_found: boolean }[];
}

/** A page of the documentation for developers. */
export interface PortalPage {
  path: string;
  title: string;
  about: string;
  sections: readonly PortalSection[];
}

declare module '../web/views/views.ts' {
  interface Views {
    portal: Visitor &
      Pick<PortalPage, 'title' | 'sections'> & {
        about?: string | undefined;
        /** only where the page needs further styles */
        part?: 'choice' | 'endpoints' | 'errors' | 'exchange' | 'programs' | 'start';
        /** begins with links to its sections */
        is_long: boolean;
        /** every chapter, in the groups in which people look for it */
        contents: readonly {
          title: string;
          chapters: readonly { title: string; href: string; is_current: boolean }[];
        }[];
        plain_href: string;
        /** where the form of the search leads, by GET with `q` */
        search_href: string;
        /** The key of the title of each page that sentences link to, by address; an address without a title is shown as it is. */
        titles: Readonly<Record<string, string>>;
        /** the best results, and how many there are */
        search?: { query: string; found: readonly FoundSection[]; count: number } | undefined;
      };
  }
}
