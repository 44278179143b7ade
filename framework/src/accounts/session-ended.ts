import { FrameworkError } from '../base/errors.ts'

/**
 * The session that asked for a change has ended; nothing was changed. Its request may have come in before,
 * and taken a minute to send its body. `Authentication` treats it like that of a guest.
 */
export class SessionEnded extends FrameworkError {
  constructor() {
    super('E_SESSION_ENDED', 'the session that asked for this change has ended; sign in again')
  }
}
