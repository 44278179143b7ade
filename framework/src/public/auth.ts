export {
  accountDataScope,
  type AccountDataScope,
  type AccountDataValues,
} from '../accounts/accounts-settings.ts'
export { authScope, type AuthScope, type AuthValues } from '../accounts/accounts-settings.ts'
export {
  openIdScope,
  type OpenIdScope,
  type OpenIdValues,
} from '../accounts/openid/open-id-settings.ts'
export { accountDigest } from '../accounts/auth-events.ts'
export type { ActiveSession } from '../accounts/account-support.ts'
export {
  AccountSupport,
  type AccountSummary,
  type AccountSupportOptions,
  type RemovableFactor,
} from '../accounts/account-support.ts'
export { AuthAudit, type AuthAuditOptions } from '../accounts/auth-audit.ts'
export {
  AuthEvents,
  type AuthEvent,
  type AuthEventName,
  type AuthEventPayload,
} from '../accounts/auth-events.ts'
export type {
  AccountWork,
  ChangeEmailOptions,
  ChangeOptions,
  CredentialsOptions,
  CredentialsOrigin,
  EndOthersOptions,
  FactorChange,
  ProvenAccount,
  SessionEnder,
  VerifyEmailOptions,
} from '../accounts/changes/credentials-options.ts'
export { Credentials } from '../accounts/changes/credentials.ts'
export { displayEmail, isEmailAddress } from '../accounts/email-address.ts'
export type { Identity } from '../accounts/identity.ts'
export { normalEmail } from '../accounts/email-address.ts'
export type { UsersNames } from '../accounts/users-rows.ts'
export { createUsersTable } from '../accounts/users-rows.ts'
export { Users, type AccountRef, type EnrollOptions, type UsersOptions } from '../accounts/users.ts'
export {
  AccountActivity,
  type AccountActivityOptions,
  type ListActivityOptions,
} from '../accounts/account-activity.ts'
export {
  entryOrigin,
  type ActivityEntry,
  type ActivityPage,
  type ActivityRow,
} from '../accounts/account-activity.ts'
export { createActivityTable } from '../accounts/account-activity.ts'
export { AccountUndo, type AccountUndoOptions } from '../accounts/changes/account-undo.ts'
export { createAccountUndosTable } from '../accounts/changes/account-undo.ts'
export type { Undoable } from '../accounts/changes/account-undo.ts'
export { createAccountDeletionsTable } from '../accounts/changes/account-deletion.ts'
export {
  AccountDeletion,
  type AccountDeletionOptions,
} from '../accounts/changes/account-deletion.ts'
export { deleteRowsOf, type DeleteStep } from '../accounts/changes/account-deletion.ts'
export { createEmailChangesTable } from '../accounts/changes/email-change-rows.ts'
export {
  EmailChange,
  type ChangedEmail,
  type CompleteEmailOptions,
  type EmailChangeOptions,
  type RequestedEmail,
} from '../accounts/changes/email-change.ts'
export { createAccountExportsTable } from '../accounts/account-exports.ts'
export {
  AccountExports,
  type AccountExport,
  type AccountExportsOptions,
  type ExportJob,
} from '../accounts/account-exports.ts'
export { accountParts, type AccountSources } from '../accounts/account-parts.ts'
export type { ExportPart, ExportParts } from '../accounts/account-parts.ts'
export { addFactorsColumn } from '../accounts/users-rows.ts'
export type { Factor, FactorAttempt } from '../accounts/factors/factor.ts'
export { PasswordFactor, type PasswordChecker } from '../accounts/factors/password-factor.ts'
export type { RevocableFactor } from '../accounts/changes/revoke-factors.ts'
export {
  AuthenticatorApp,
  type AuthenticatorAppOptions,
  type AuthenticatorSetup,
  type AuthenticatorStatus,
} from '../accounts/factors/authenticator-app.ts'
export {
  createAuthenticatorTables,
  type AuthenticatorTables,
} from '../accounts/factors/authenticator-app.ts'
export { createPasskeyTables, type PasskeyTables } from '../accounts/passkeys/passkey-rows.ts'
export type { Passkey } from '../accounts/passkeys/passkey-rows.ts'
export type { PasskeyRegistration, PasskeysOptions } from '../accounts/passkeys/passkeys.ts'
export { Passkeys } from '../accounts/passkeys/passkeys.ts'
export type { PasskeyOptions } from '../accounts/passkeys/webauthn-options.ts'
export {
  MailSignIn,
  type MailEntry,
  type MailSignInOptions,
  type MailSignInRequest,
} from '../accounts/sign-in/mail-sign-in.ts'
export { createMailSignInsTable } from '../accounts/sign-in/mail-challenges.ts'
export type { MailSession } from '../accounts/sign-in/mail-sign-in.ts'
export {
  OpenIdAccounts,
  type OpenIdAccountsOptions,
  type OpenIdEntry,
} from '../accounts/openid/open-id-accounts.ts'
export { OpenIdError, type OpenIdFailure } from '../accounts/openid/open-id-error.ts'
export { createOpenIdIdentitiesTable } from '../accounts/openid/open-id-identities.ts'
export {
  OpenIdIdentities,
  type OpenIdIdentitiesOptions,
  type OpenIdIdentity,
} from '../accounts/openid/open-id-identities.ts'
export type {
  OpenIdAttempt,
  OpenIdIssuer,
  OpenIdSubject,
} from '../accounts/openid/open-id-issuer.ts'
export type { OpenIdRefusal } from '../accounts/openid/open-id-error.ts'
export { openIssuers, type OpenIssuersOptions } from '../accounts/openid/open-issuers.ts'
export type { Argon2Derive } from '../accounts/passwords/argon2-hash.ts'
export {
  BreachedPasswords,
  type BreachedPasswordsOptions,
} from '../accounts/passwords/breached-passwords.ts'
export type { PasswordOptions } from '../accounts/passwords/password.ts'
export {
  passwordProblem,
  PasswordRules,
  type PasswordRulesOptions,
} from '../accounts/passwords/password-rules.ts'
export { Password, type HashingOptions } from '../accounts/passwords/password.ts'
export { deviceHandle, type Device } from '../accounts/devices/trust.ts'
export { Purposes } from '../accounts/tokens/token.ts'
export { Theft } from '../accounts/devices/trust.ts'
export { Token } from '../accounts/tokens/token.ts'
export { createTokensTable } from '../accounts/tokens/tokens.ts'
export { Tokens, type RedeemOptions, type TokensOptions } from '../accounts/tokens/tokens.ts'
export { createTrustsTable } from '../accounts/devices/trust.ts'
export {
  Trust,
  type RevokeDevicesOptions,
  type RotateOptions,
  type TrustOptions,
} from '../accounts/devices/trust.ts'
export { NewApiToken, type ApiToken } from '../http/request/api-token.ts'
export { createApiTokensTable } from '../accounts/tokens/api-tokens.ts'
export {
  ApiTokens,
  type ApiTokenRequest,
  type ApiTokensOptions,
} from '../accounts/tokens/api-tokens.ts'
export { qrSvg, type QrSvgOptions } from '../base/encoding/qr-svg.ts'
export { Authenticating } from '../accounts/guards/authenticating.ts'
export { Authentication, type AuthenticationOptions } from '../accounts/guards/authentication.ts'
export { Bearer, type ApiTokenFinder, type BearerOptions } from '../accounts/guards/bearer.ts'
export { Confirmation, type ConfirmationOptions } from '../accounts/guards/confirmation.ts'
export { Confirmed, type ConfirmedOptions } from '../accounts/guards/confirmed.ts'
export { Verified, type VerifiedOptions } from '../accounts/guards/verified.ts'
export { deviceLane } from '../accounts/devices/device-lane.ts'
export type { Guard, LoadIdentity } from '../accounts/guards/guard.ts'
export {
  PasskeySignIn,
  type PasskeyEnterOptions,
  type PasskeySignInOptions,
} from '../accounts/sign-in/passkey-sign-in.ts'
export {
  OpenIdSignIn,
  type BeginOpenIdOptions,
  type OpenIdResult,
  type OpenIdSignInOptions,
} from '../accounts/openid/open-id-sign-in.ts'
export type { PendingSignIn } from '../accounts/sign-in/sign-in-gate.ts'
export {
  rememberPolicy,
  type RememberPolicy,
  type RememberPolicyOptions,
} from '../accounts/devices/remember-policy.ts'
export {
  Remember,
  type RememberedDevice,
  type RememberOptions,
} from '../accounts/devices/remember.ts'
export { requireIdentity } from '../accounts/guards/require-identity.ts'
export { SessionGuard, type SessionGuardOptions } from '../accounts/guards/session-guard.ts'
export { SignIn, type EnterOptions, type SignInOptions } from '../accounts/sign-in/sign-in.ts'
export {
  SignInGate,
  type GateEntry,
  type GateResult,
  type SignInGateOptions,
} from '../accounts/sign-in/sign-in-gate.ts'
export { allow, allowFor, type Allow } from '../accounts/guards/allow.ts'
export type { PolicyGuardOptions, PolicyGuard } from '../accounts/guards/allow.ts'
export type {
  AllowOptions,
  AllowRecordOptions,
  Policy,
  PolicyDecision,
} from '../accounts/guards/allow.ts'
