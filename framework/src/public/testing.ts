export {
  projectServer,
  type ProjectServer,
  type ProjectServerOptions,
} from '../web/testing/project-server.ts'
export {
  TestAuthenticator,
  type TestAuthenticatorOptions,
  type TestCredential,
} from '../web/testing/test-authenticator.ts'
export { totpCode } from '../web/testing/totp-code.ts'
