import { sessionScope } from 'framework/sessions'

// SESSION_NAME, COOKIE_PREFIX, SESSION_IDLE, SESSION_LIFETIME.
export default sessionScope
