import { accountDataScope } from 'framework/auth'

// When accounts are deleted, and how their data is exported.
export default accountDataScope
