export type { Identity } from '../accounts/identity.ts'
export { Users } from '../accounts/users.ts'
export {
  SecurityEvents,
  emitSecurityEvent,
  type SecurityEvent,
  type SecurityEventName,
  type SecurityEventPayload,
} from '../http/request/security-events.ts'
export { SecurityKinds } from '../accounts/security-log.ts'
export { SecurityLog } from '../accounts/security-log.ts'
export { Password } from '../accounts/passwords/password.ts'
export { Purposes } from '../accounts/tokens/token.ts'
export { Theft } from '../accounts/devices/trust.ts'
export { Token } from '../accounts/tokens/token.ts'
export { Tokens } from '../accounts/tokens/tokens.ts'
export { Trust } from '../accounts/devices/trust.ts'
