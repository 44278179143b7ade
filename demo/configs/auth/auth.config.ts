import { authScope } from 'framework/security'

// How long links and remembered devices live.
export default authScope
