export {
  projectServer,
  type ProjectServer,
  type ProjectServerOptions,
} from '../web/testing/project-server.ts'
export { totpCode } from '../web/testing/totp-code.ts'
