export {
  accountDataScope,
  type AccountDataScope,
  type AccountDataValues,
} from '../accounts/exports/account-data-settings.ts'
export { authScope, type AuthScope, type AuthValues } from '../accounts/accounts-settings.ts'
export {
  openIdScope,
  type OpenIdScope,
  type OpenIdValues,
} from '../accounts/openid/open-id-settings.ts'
export { accountDigest } from '../accounts/account-digest.ts'
export type { AccountPlace } from '../accounts/account-places.ts'
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
  AlterOptions,
  EndOthersOptions,
  FactorChange,
  ProvenAccount,
  SessionEnder,
  VerifyEmailOptions,
} from '../accounts/credentials-options.ts'
export { Credentials } from '../accounts/credentials.ts'
export { displayEmail, isEmailAddress } from '../accounts/email-address.ts'
export type { Identity } from '../accounts/identity.ts'
export { normalEmail } from '../accounts/normal-email.ts'
export type { UsersNames } from '../accounts/users-rows.ts'
export { createUsersTable } from '../accounts/users-table.ts'
export { Users, type AccountRef, type EnrollOptions, type UsersOptions } from '../accounts/users.ts'
export {
  AccountActivity,
  type AccountActivityOptions,
  type ListActivityOptions,
} from '../accounts/activity/account-activity.ts'
export {
  entryOrigin,
  type ActivityEntry,
  type ActivityPage,
  type ActivityRow,
} from '../accounts/activity/activity-entry.ts'
export { createActivityTable } from '../accounts/activity/activity-table.ts'
export { AccountUndo, type AccountUndoOptions } from '../accounts/changes/account-undo.ts'
export { createAccountUndosTable } from '../accounts/changes/account-undos-table.ts'
export type { Undoable } from '../accounts/changes/undoable.ts'
export { createAccountDeletionsTable } from '../accounts/changes/account-deletions-table.ts'
export {
  AccountDeletion,
  type AccountDeletionOptions,
} from '../accounts/changes/account-deletion.ts'
export { rowsOf, type DeleteStep } from '../accounts/changes/rows-of.ts'
export { createEmailChangesTable } from '../accounts/changes/email-changes-table.ts'
export {
  EmailChange,
  type ChangedEmail,
  type CompleteEmailOptions,
  type EmailChangeOptions,
  type RequestedEmail,
} from '../accounts/changes/email-change.ts'
export { createAccountExportsTable } from '../accounts/exports/account-exports-table.ts'
export {
  AccountExports,
  type AccountExport,
  type AccountExportsOptions,
  type ExportJob,
} from '../accounts/exports/account-exports.ts'
export { accountParts, type AccountSources } from '../accounts/exports/account-parts.ts'
export type { ExportPart, ExportParts } from '../accounts/exports/export-part.ts'
export { addFactorsColumn } from '../accounts/factors/factors-column.ts'
export type { Factor, FactorAttempt } from '../accounts/factors/factor.ts'
export { PasswordFactor, type PasswordChecker } from '../accounts/factors/password-factor.ts'
export type { RevocableFactor } from '../accounts/factors/revocable-factor.ts'
export {
  AuthenticatorApp,
  type AuthenticatorAppOptions,
  type AuthenticatorSetup,
  type AuthenticatorStatus,
} from '../accounts/factors/authenticator-app.ts'
export {
  createAuthenticatorTables,
  type AuthenticatorTables,
} from '../accounts/factors/authenticator-tables.ts'
export { createPasskeyTables, type PasskeyTables } from '../accounts/passkeys/passkey-tables.ts'
export type { Passkey } from '../accounts/passkeys/passkey.ts'
export type { PasskeyRegistration, PasskeysOptions } from '../accounts/passkeys/passkeys-options.ts'
export { Passkeys } from '../accounts/passkeys/passkeys.ts'
export type { PasskeyOptions } from '../accounts/passkeys/webauthn-options.ts'
export {
  MailSignIn,
  type MailEntry,
  type MailSignInOptions,
  type MailSignInRequest,
} from '../accounts/mail-sign-in/mail-sign-in.ts'
export { createMailSignInsTable } from '../accounts/mail-sign-in/mail-sign-ins-table.ts'
export type { MailSession } from '../accounts/mail-sign-in/mail-ticket.ts'
export {
  OpenIdAccounts,
  type OpenIdAccountsOptions,
  type OpenIdEntry,
} from '../accounts/openid/open-id-accounts.ts'
export { OpenIdError, type OpenIdFailure } from '../accounts/openid/open-id-error.ts'
export { createOpenIdIdentitiesTable } from '../accounts/openid/open-id-identities-table.ts'
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
export type { OpenIdRefusal } from '../accounts/openid/open-id-refusal.ts'
export { openIssuers, type OpenIssuersOptions } from '../accounts/openid/open-issuers.ts'
export type { Argon2Derive } from '../accounts/passwords/argon2-hash.ts'
export {
  BreachedPasswords,
  type BreachedPasswordsOptions,
} from '../accounts/passwords/breached-passwords.ts'
export type { PasswordOptions } from '../accounts/passwords/password-options.ts'
export {
  passwordProblem,
  PasswordRules,
  type PasswordRulesOptions,
} from '../accounts/passwords/password-rules.ts'
export { Password, type HashingOptions } from '../accounts/passwords/password.ts'
export { deviceHandle, type Device } from '../accounts/tokens/device.ts'
export { Purposes } from '../accounts/tokens/purposes.ts'
export { Theft } from '../accounts/tokens/theft.ts'
export { Token } from '../accounts/tokens/token.ts'
export { createTokensTable } from '../accounts/tokens/tokens-table.ts'
export { Tokens, type RedeemOptions, type TokensOptions } from '../accounts/tokens/tokens.ts'
export { createTrustsTable } from '../accounts/tokens/trusts-table.ts'
export {
  Trust,
  type RevokeDevicesOptions,
  type RotateOptions,
  type TrustOptions,
} from '../accounts/tokens/trust.ts'
export { NewApiToken, type ApiToken } from '../http/request/api-token.ts'
export { createApiTokensTable } from '../accounts/api-tokens/api-tokens-table.ts'
export {
  ApiTokens,
  type ApiTokenRequest,
  type ApiTokensOptions,
} from '../accounts/api-tokens/api-tokens.ts'
export { qrSvg, type QrSvgOptions } from '../base/encoding/qr-svg.ts'
export { Authenticating } from '../accounts/guards/authenticating.ts'
export { Authentication, type AuthenticationOptions } from '../accounts/guards/authentication.ts'
export { Bearer, type ApiTokenFinder, type BearerOptions } from '../accounts/guards/bearer.ts'
export { Confirmation, type ConfirmationOptions } from '../accounts/guards/confirmation.ts'
export { Confirmed, type ConfirmedOptions } from '../accounts/guards/confirmed.ts'
export { Verified, type VerifiedOptions } from '../accounts/guards/verified.ts'
export { deviceLane } from '../accounts/guards/device-lane.ts'
export type { Guard } from '../accounts/guards/guard.ts'
export {
  PasskeySignIn,
  type PasskeyEnterOptions,
  type PasskeySignInOptions,
} from '../accounts/guards/passkey-sign-in.ts'
export {
  OpenIdSignIn,
  type BeginOpenIdOptions,
  type OpenIdResult,
  type OpenIdSignInOptions,
} from '../accounts/openid/open-id-sign-in.ts'
export type { PendingSignIn } from '../accounts/guards/pending-sign-in.ts'
export {
  rememberPolicy,
  type RememberPolicy,
  type RememberPolicyOptions,
} from '../accounts/guards/remember-policy.ts'
export {
  Remember,
  type RememberedDevice,
  type RememberOptions,
} from '../accounts/guards/remember.ts'
export type { LoadIdentity } from '../accounts/guards/request-identity.ts'
export { requireIdentity } from '../accounts/guards/require-identity.ts'
export { SessionGuard, type SessionGuardOptions } from '../accounts/guards/session-guard.ts'
export { SignIn, type EnterOptions, type SignInOptions } from '../accounts/guards/sign-in.ts'
export {
  SignInGate,
  type GateEntry,
  type GateResult,
  type SignInGateOptions,
} from '../accounts/guards/sign-in-gate.ts'
export { allow, allowFor, type Allow } from '../accounts/policies/allow.ts'
export type { PolicyFacts, PolicyGuard } from '../accounts/policies/policy-guard.ts'
export type {
  AllowOptions,
  AllowRecordOptions,
  Policy,
  PolicyDecision,
} from '../accounts/policies/policy.ts'
