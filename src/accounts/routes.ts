import { bodyWithBoxes } from '../identity/form-body.ts';
import { toParent } from '../identity/person.ts';
import type { Addresses } from '../oauth/addresses.ts';
import { dialects, flowPaths } from '../oauth/github/dialect.ts';
import { cacheForever } from '../web/cache-forever.ts';
import { keeping } from '../web/kept-form.ts';
import { notForHead } from '../web/route.ts';
import { showActivity } from './activity/activity.ts';
import { showNotMe, showUndoing, undo, undoActivity } from './activity/not-me.ts';
import { endSession, showSessions } from './activity/sessions.ts';
import { revokeApplication, showApplication } from './applications/application.ts';
import { showApplications } from './applications/applications.ts';
import { changePermissions } from './applications/change-permissions.ts';
import { changeSecondFactor } from './factors/change-factors.ts';
import { showAccountSecurity, unlink } from './factors/security.ts';
import { deleteAccount, showDeletion } from './leaving/delete-account.ts';
import { exportAccount } from './leaving/export.ts';
import { linkPaths } from './mail/mailed-links.ts';
import type { CompleteSignIn } from './mail/way-on.ts';
import { addPasskey, showNewPasskey } from './passkeys/new-passkey.ts';
import { changePasskey, showPasskey } from './passkeys/passkey.ts';
import { showPasskeyEndpoints } from './passkeys/passkey-endpoints.ts';
import { answerOffer, offerPath } from './passkeys/passkey-offer.ts';
import { changePassword, showPasswordForm } from './passwords/change-password.ts';
import { showCommonPasswords } from './passwords/common-passwords.ts';
import { askForReset, showForgotPassword } from './passwords/forgot-password.ts';
import { resetPassword, showReset } from './passwords/reset-password.ts';
import { removePassword, setPassword, showNewPassword, showPasswordRemoval } from './passwords/without-password.ts';
import { changeNotices, showAccount } from './profile/account.ts';
import { changeProfile } from './profile/change-profile.ts';
import { confirm, sendConfirmation, showConfirmation } from './profile/confirm-address.ts';
import { connectProvider, showConnect } from './profile/connect.ts';
import { askForSignUp, showSignUp } from './sign-up/ask-for-sign-up.ts';
import { finishSignUp, showFinish } from './sign-up/finish-sign-up.ts';
import { signUpPath } from './sign-up/sign-up.ts';

export function addAccounts(
  { pageDeps: deps, pageRoute, formRoute, otherRoute }: Addresses,
  completeSignIn: CompleteSignIn,
): void {
  for (const dialect of dialects) {
    formRoute(flowPaths[dialect].forgot, showForgotPassword(deps, dialect), askForReset(deps, dialect));
    formRoute(flowPaths[dialect].sign_up, showSignUp(deps, dialect), askForSignUp(deps, dialect));
  }
  formRoute(signUpPath, showFinish(deps), finishSignUp(deps, completeSignIn));
  formRoute(linkPaths.not_me, showNotMe(deps), undo(deps));
  formRoute(linkPaths.reset, showReset(deps), resetPassword(deps, completeSignIn));

  formRoute('/account', showAccount(deps), keeping(/^(name|email)$/, changeProfile(deps)));
  formRoute(linkPaths.address, showConfirmation(deps), confirm(deps));
  formRoute('/account/address', toParent(deps), sendConfirmation(deps));
  formRoute('/account/not-me', showUndoing(deps), undoActivity(deps));
  formRoute('/account/notices', toParent(deps), keeping(/^wants_notices$/, changeNotices(deps)));
  formRoute('/account/password', showPasswordForm(deps), changePassword(deps));
  formRoute('/account/password/remove', showPasswordRemoval(deps), removePassword(deps));
  formRoute('/account/password/set', showNewPassword(deps), setPassword(deps));
  formRoute('/account/passkeys/new', showNewPasskey(deps, 'passkey'), addPasskey(deps, 'passkey'));
  formRoute('/account/passkeys/new-key', showNewPasskey(deps, 'security_key'), addPasskey(deps, 'security_key'));
  formRoute(offerPath, showNewPasskey(deps, 'passkey'), answerOffer(deps));
  formRoute('/account/passkeys/:passkey', showPasskey(deps), changePasskey(deps));
  formRoute('/account/sessions', showSessions(deps), endSession(deps));
  formRoute('/account/identities', showPasswordForm(deps), unlink(deps));
  formRoute('/account/security', showAccountSecurity(deps), changeSecondFactor(deps));
  pageRoute('/account/activity', showActivity(deps));
  formRoute('/account/connect/:name', showConnect(deps), connectProvider(deps));
  formRoute('/account/delete', showDeletion(deps), deleteAccount(deps));
  pageRoute('/account/export', notForHead, exportAccount(deps));
  otherRoute('/common-passwords.js', { get: [cacheForever, showCommonPasswords] });
  if (deps.config.passkeys) otherRoute('/.well-known/passkey-endpoints', { get: [showPasskeyEndpoints(deps)] });
  otherRoute('/.well-known/change-password', { get: [showPasswordForm(deps)] });
  pageRoute('/account/applications', showApplications(deps));
  formRoute(
    '/account/applications/:client_id',
    showApplication(deps),
    keeping(/^(scope$|choice\b|q\.)/, changePermissions(deps)),
    bodyWithBoxes,
  );
  formRoute('/account/applications/:client_id/revoke', toParent(deps), revokeApplication(deps));
}
