export { authScope, type AuthScope, type AuthValues } from '../app/config/auth-scope.ts'
export { openIdScope, type OpenIdScope, type OpenIdValues } from '../app/config/open-id-scope.ts'
export { accountDigest } from '../app/security/accounts/account-digest.ts'
export {
  AccountSupport,
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
  ChangeOptions,
  CredentialsOptions,
  CredentialsOrigin,
  EndOthersOptions,
  FactorChange,
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
export { addFactorsColumn } from '../app/security/factors/factors-column.ts'
export type { Factor, FactorAttempt } from '../app/security/factors/factor.ts'
export { PasswordFactor, type PasswordChecker } from '../app/security/factors/password-factor.ts'
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
  type PasswordContext,
  type PasswordRulesOptions,
} from '../app/security/passwords/password-rules.ts'
export {
  Password,
  type HashingOptions,
  type Inspection,
} from '../app/security/passwords/password.ts'
export { deviceHandle, type Device, type DeviceUse } from '../app/security/tokens/device.ts'
export { Purposes } from '../app/security/tokens/purposes.ts'
export { Theft } from '../app/security/tokens/theft.ts'
export { Token, type TokenFields } from '../app/security/tokens/token.ts'
export { createTokensTable } from '../app/security/tokens/tokens-table.ts'
export { Tokens, type RedeemOptions, type TokensOptions } from '../app/security/tokens/tokens.ts'
export { createTrustsTable } from '../app/security/tokens/trusts-table.ts'
export {
  Trust,
  type RevokeDevicesOptions,
  type RotateOptions,
  type TrustOptions,
} from '../app/security/tokens/trust.ts'
export {
  NewApiToken,
  type ApiToken,
  type ApiTokenUse,
} from '../app/security/api-tokens/api-token.ts'
export { createApiTokensTable } from '../app/security/api-tokens/api-tokens-table.ts'
export {
  ApiTokens,
  type ApiTokenRequest,
  type ApiTokensOptions,
} from '../app/security/api-tokens/api-tokens.ts'
export { qrSvg, type QrSvgOptions } from '../base/encoding/qr-svg.ts'
export { Authenticating } from '../web/guards/authenticating.ts'
export { Authentication, type AuthenticationOptions } from '../web/guards/authentication.ts'
export {
  Bearer,
  type ApiTokenFinder,
  type BearerOptions,
  type BearerRate,
} from '../web/guards/bearer.ts'
export { Confirmation, type ConfirmationOptions } from '../web/guards/confirmation.ts'
export { Confirmed, type ConfirmedOptions } from '../web/guards/confirmed.ts'
export { deviceLane } from '../web/guards/device-lane.ts'
export type { Guard } from '../web/guards/guard.ts'
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
export { SessionGuard, type SessionGuardOptions } from '../web/guards/session-guard.ts'
export { SignIn, type EnterOptions, type SignInOptions } from '../web/guards/sign-in.ts'
export {
  SignInGate,
  type GateEntry,
  type GateResult,
  type SignInGateOptions,
} from '../web/guards/sign-in-gate.ts'
