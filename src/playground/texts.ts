import type {
  Carrier,
  PlaygroundBreak,
  PlaygroundMode,
  PlaygroundProblem,
  PlaygroundStep,
  PlaygroundTheft,
  PlaygroundUse,
  ProofMember,
  RepeatedPart,
} from './playground.view.ts';
import type en from './texts/en.json';

type Names =
  | `step.${PlaygroundStep}.${'title' | 'text'}`
  | `break.${PlaygroundBreak | PlaygroundUse | PlaygroundTheft}`
  | `mode.${PlaygroundMode}`
  | `mode.text_${PlaygroundMode}`
  | `proof.${ProofMember}`
  | `repeated.${RepeatedPart}`
  | `playground.by_${Carrier}`
  | `playground_problem.${PlaygroundProblem}`;

declare module '../web/texts.ts' {
  interface Texts extends Record<keyof typeof en, string> {}
  interface NamedTexts extends Record<Names, string> {}
}
