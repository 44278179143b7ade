import { authScope } from 'framework/auth'

// How long links and remembered devices are valid.
export default authScope
