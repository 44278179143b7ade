import { authScope } from 'framework/auth'

// How long links and remembered devices live.
export default authScope
