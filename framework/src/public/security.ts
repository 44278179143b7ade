export { authScope, type AuthScope, type AuthValues } from '../app/config/auth-scope.ts'
export type { Argon2Derive } from '../app/security/argon2-derive.ts'
export { AuthAudit, type AuthAuditOptions } from '../app/security/auth-audit.ts'
export {
  AuthEvents,
  type AuthEvent,
  type AuthEventName,
  type AuthIncident,
} from '../app/security/auth-events.ts'
export {
  Credentials,
  type ChangeOptions,
  type CredentialsOptions,
  type CredentialsOrigin,
  type EndOthersOptions,
  type SessionEnder,
} from '../app/security/credentials.ts'
export { deviceHandle, type Device, type DeviceUse } from '../app/security/device.ts'
export { displayEmail, isEmailAddress } from '../app/security/email-address.ts'
export type { Identity } from '../app/security/identity.ts'
export { normalEmail } from '../app/security/normal-email.ts'
export type { PasswordOptions } from '../app/security/password-options.ts'
export { passwordProblem, type PasswordSurroundings } from '../app/security/password-rules.ts'
export { Password, type Inspection } from '../app/security/password.ts'
export { Purposes } from '../app/security/purposes.ts'
export { Theft } from '../app/security/theft.ts'
export { Token, type TokenFacts } from '../app/security/token.ts'
export { createTokensTable } from '../app/security/tokens-table.ts'
export { Tokens, type RedeemOptions, type TokensOptions } from '../app/security/tokens.ts'
export { createTrustsTable } from '../app/security/trusts-table.ts'
export {
  Trust,
  type RevokeDevicesOptions,
  type RotateOptions,
  type TrustOptions,
} from '../app/security/trust.ts'
export type { UsersNames } from '../app/security/users-rows.ts'
export { createUsersTable } from '../app/security/users-table.ts'
export { Users, type AccountRef, type UsersOptions } from '../app/security/users.ts'
