export {
  accountDataScope,
  type AccountDataScope,
  type AccountDataValues,
} from '../app/config/account-data-scope.ts'
export { authScope, type AuthScope, type AuthValues } from '../app/config/auth-scope.ts'
export { openIdScope, type OpenIdScope, type OpenIdValues } from '../app/config/open-id-scope.ts'
export { accountDigest } from '../app/security/accounts/account-digest.ts'
export type { AccountPlace } from '../app/security/accounts/account-places.ts'
export {
  AccountSupport,
  type AccountSummary,
  type AccountSupportOptions,
  type RemovableFactor,
} from '../app/security/accounts/account-support.ts'
export { AuthAudit, type AuthAuditOptions } from '../app/security/accounts/auth-audit.ts'
export {
  AuthEvents,
  type AuthEvent,
  type AuthEventName,
  type AuthEventPayload,
} from '../app/security/accounts/auth-events.ts'
export type {
  AccountWork,
  ChangeEmailOptions,
  ChangeOptions,
  CredentialsOptions,
  CredentialsOrigin,
  AlterOptions,
  EndOthersOptions,
  FactorChange,
  ProvenAccount,
  SessionEnder,
  VerifyEmailOptions,
} from '../app/security/accounts/credentials-options.ts'
export { Credentials } from '../app/security/accounts/credentials.ts'
export { displayEmail, isEmailAddress } from '../app/security/accounts/email-address.ts'
export type { Identity } from '../app/security/accounts/identity.ts'
export { normalEmail } from '../app/security/accounts/normal-email.ts'
export type { UsersNames } from '../app/security/accounts/users-rows.ts'
export { createUsersTable } from '../app/security/accounts/users-table.ts'
export {
  Users,
  type AccountRef,
  type EnrollOptions,
  type UsersOptions,
} from '../app/security/accounts/users.ts'
export {
  AccountActivity,
  type AccountActivityOptions,
  type ListActivityOptions,
} from '../app/security/activity/account-activity.ts'
export {
  entryOrigin,
  type ActivityEntry,
  type ActivityPage,
  type ActivityRow,
} from '../app/security/activity/activity-entry.ts'
export { createActivityTable } from '../app/security/activity/activity-table.ts'
export { AccountUndo, type AccountUndoOptions } from '../app/security/undo/account-undo.ts'
export { createAccountUndosTable } from '../app/security/undo/account-undos-table.ts'
export type { Undoable } from '../app/security/undo/undoable.ts'
export { createAccountDeletionsTable } from '../app/security/deletion/account-deletions-table.ts'
export {
  AccountDeletion,
  type AccountDeletionOptions,
} from '../app/security/deletion/account-deletion.ts'
export { rowsOf, type DeleteStep } from '../app/security/deletion/rows-of.ts'
export { createEmailChangesTable } from '../app/security/email-change/email-changes-table.ts'
export {
  EmailChange,
  type ChangedEmail,
  type CompleteEmailOptions,
  type EmailChangeOptions,
  type RequestedEmail,
} from '../app/security/email-change/email-change.ts'
export { createAccountExportsTable } from '../app/security/exports/account-exports-table.ts'
export {
  AccountExports,
  type AccountExport,
  type AccountExportsOptions,
  type ExportJob,
} from '../app/security/exports/account-exports.ts'
export { accountParts, type AccountSources } from '../app/security/exports/account-parts.ts'
export type { ExportPart, ExportParts } from '../app/security/exports/export-part.ts'
export { addFactorsColumn } from '../app/security/factors/factors-column.ts'
export type { Factor, FactorAttempt } from '../app/security/factors/factor.ts'
export { PasswordFactor, type PasswordChecker } from '../app/security/factors/password-factor.ts'
export type { RevocableFactor } from '../app/security/factors/revocable-factor.ts'
export {
  AuthenticatorApp,
  type AuthenticatorAppOptions,
  type AuthenticatorSetup,
  type AuthenticatorStatus,
} from '../app/security/factors/authenticator-app.ts'
export {
  createAuthenticatorTables,
  type AuthenticatorTables,
} from '../app/security/factors/authenticator-tables.ts'
export { createPasskeyTables, type PasskeyTables } from '../app/security/passkeys/passkey-tables.ts'
export type { Passkey } from '../app/security/passkeys/passkey.ts'
export type {
  PasskeyRegistration,
  PasskeysOptions,
} from '../app/security/passkeys/passkeys-options.ts'
export { Passkeys } from '../app/security/passkeys/passkeys.ts'
export type { PasskeyOptions } from '../app/security/passkeys/webauthn-options.ts'
export {
  MailSignIn,
  type MailEntry,
  type MailSignInOptions,
  type MailSignInRequest,
} from '../app/security/mail-sign-in/mail-sign-in.ts'
export { createMailSignInsTable } from '../app/security/mail-sign-in/mail-sign-ins-table.ts'
export type { MailSession } from '../app/security/mail-sign-in/mail-ticket.ts'
export {
  OpenIdAccounts,
  type OpenIdAccountsOptions,
  type OpenIdEntry,
} from '../app/security/oidc/open-id-accounts.ts'
export { OpenIdError, type OpenIdFailure } from '../app/security/oidc/open-id-error.ts'
export { createOpenIdIdentitiesTable } from '../app/security/oidc/open-id-identities-table.ts'
export {
  OpenIdIdentities,
  type OpenIdIdentitiesOptions,
  type OpenIdIdentity,
} from '../app/security/oidc/open-id-identities.ts'
export type {
  OpenIdAttempt,
  OpenIdIssuer,
  OpenIdSubject,
} from '../app/security/oidc/open-id-issuer.ts'
export type { OpenIdRefusal } from '../app/security/oidc/open-id-refusal.ts'
export { openIssuers, type OpenIssuersOptions } from '../app/security/oidc/open-issuers.ts'
export type { Argon2Derive } from '../app/security/passwords/argon2-hash.ts'
export {
  BreachedPasswords,
  type BreachedPasswordsOptions,
} from '../app/security/passwords/breached-passwords.ts'
export type { PasswordOptions } from '../app/security/passwords/password-options.ts'
export {
  passwordProblem,
  PasswordRules,
  type PasswordRulesOptions,
} from '../app/security/passwords/password-rules.ts'
export { Password, type HashingOptions } from '../app/security/passwords/password.ts'
export { deviceHandle, type Device } from '../app/security/tokens/device.ts'
export { Purposes } from '../app/security/tokens/purposes.ts'
export { Theft } from '../app/security/tokens/theft.ts'
export { Token } from '../app/security/tokens/token.ts'
export { createTokensTable } from '../app/security/tokens/tokens-table.ts'
export { Tokens, type RedeemOptions, type TokensOptions } from '../app/security/tokens/tokens.ts'
export { createTrustsTable } from '../app/security/tokens/trusts-table.ts'
export {
  Trust,
  type RevokeDevicesOptions,
  type RotateOptions,
  type TrustOptions,
} from '../app/security/tokens/trust.ts'
export { NewApiToken, type ApiToken } from '../app/security/api-tokens/api-token.ts'
export { createApiTokensTable } from '../app/security/api-tokens/api-tokens-table.ts'
export {
  ApiTokens,
  type ApiTokenRequest,
  type ApiTokensOptions,
} from '../app/security/api-tokens/api-tokens.ts'
export { qrSvg, type QrSvgOptions } from '../base/encoding/qr-svg.ts'
export { Authenticating } from '../web/guards/authenticating.ts'
export { Authentication, type AuthenticationOptions } from '../web/guards/authentication.ts'
export { Bearer, type ApiTokenFinder, type BearerOptions } from '../web/guards/bearer.ts'
export { Confirmation, type ConfirmationOptions } from '../web/guards/confirmation.ts'
export { Confirmed, type ConfirmedOptions } from '../web/guards/confirmed.ts'
export { Verified, type VerifiedOptions } from '../web/guards/verified.ts'
export { deviceLane } from '../web/guards/device-lane.ts'
export type { Guard } from '../web/guards/guard.ts'
export {
  PasskeySignIn,
  type PasskeyEnterOptions,
  type PasskeySignInOptions,
} from '../web/guards/passkey-sign-in.ts'
export {
  OpenIdSignIn,
  type BeginOpenIdOptions,
  type OpenIdResult,
  type OpenIdSignInOptions,
} from '../web/guards/open-id/open-id-sign-in.ts'
export type { PendingSignIn } from '../web/guards/pending-sign-in.ts'
export {
  rememberPolicy,
  type RememberPolicy,
  type RememberPolicyOptions,
} from '../web/guards/remember-policy.ts'
export { Remember, type RememberedDevice, type RememberOptions } from '../web/guards/remember.ts'
export type { LoadIdentity } from '../web/guards/request-identity.ts'
export { requireIdentity } from '../web/guards/require-identity.ts'
export { SessionGuard, type SessionGuardOptions } from '../web/guards/session-guard.ts'
export { SignIn, type EnterOptions, type SignInOptions } from '../web/guards/sign-in.ts'
export {
  SignInGate,
  type GateEntry,
  type GateResult,
  type SignInGateOptions,
} from '../web/guards/sign-in-gate.ts'
export { allow, allowFor, type Allow } from '../web/policies/allow.ts'
export type { PolicyFacts, PolicyGuard } from '../web/policies/policy-guard.ts'
export type {
  AllowOptions,
  AllowRecordOptions,
  Policy,
  PolicyDecision,
} from '../web/policies/policy.ts'
