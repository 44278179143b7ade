import { sessionScope } from 'framework'

// SESSION_NAME, SESSION_IDLE, SESSION_LIFETIME.
export default sessionScope
