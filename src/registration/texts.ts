import type { ClientOrigin } from '../clients/clients.sql.ts';
import type { PlainMember } from '../lib/client-members.ts';
import type {
  DeveloperNotice,
  DeveloperProblem,
  FieldProblem,
  PermissionUse,
  ProgramObstacle,
} from './console/developer.view.ts';
import type { SecurityMethod, SecurityProfile, TokenBinding } from './console/security.view.ts';
import type { TokenEvent, TokenHistory } from './console/token-history.view.ts';
import type { DocumentNotice } from './documents/documents.view.ts';
import type en from './texts/en.json';

type Names =
  | `notice.${DeveloperNotice | DocumentNotice}`
  | `problem.${DeveloperProblem | 'too_many_documents'}`
  | `register.${PermissionUse}`
  | `developer.origin_${ClientOrigin}`
  | `token_history.${TokenHistory['kind']}`
  | `event.${TokenEvent}`
  | `field_problem.${FieldProblem}`
  | `security.profile.${SecurityProfile}${'' | '_hint'}`
  | `security.token_endpoint_auth_method.${SecurityMethod}${'' | '_hint'}`
  | `security.token_binding.${TokenBinding}${'' | '_hint'}`
  | `security.${PlainMember}`
  | `connect.${ProgramObstacle}`;

declare module '../web/texts.ts' {
  interface Texts extends Record<keyof typeof en, string> {}
  interface NamedTexts extends Record<Names, string> {}
}
