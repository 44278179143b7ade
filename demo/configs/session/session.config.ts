import { sessionScope } from 'framework/sessions'

// SESSION_NAME, SESSION_IDLE, SESSION_LIFETIME.
export default sessionScope
