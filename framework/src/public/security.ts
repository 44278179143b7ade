export type { Identity } from '../app/security/accounts/identity.ts'
export { Users } from '../app/security/accounts/users.ts'
export {
  SecurityEvents,
  emitSecurityEvent,
  type SecurityEvent,
  type SecurityEventName,
  type SecurityEventPayload,
} from '../app/security/log/security-events.ts'
export { SecurityKinds } from '../app/security/log/security-kinds.ts'
export { SecurityLog, type SecurityLogOptions } from '../app/security/log/security-log.ts'
export { Password } from '../app/security/passwords/password.ts'
export { Purposes } from '../app/security/tokens/purposes.ts'
export { Theft } from '../app/security/tokens/theft.ts'
export { Token } from '../app/security/tokens/token.ts'
export { Tokens } from '../app/security/tokens/tokens.ts'
export { Trust } from '../app/security/tokens/trust.ts'
