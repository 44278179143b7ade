import { openIdScope } from 'framework/auth'

// The sites whose accounts people can sign in with: OIDC_COMPANY_ISSUER and the rest. Add a name for another.
export default openIdScope('company')
