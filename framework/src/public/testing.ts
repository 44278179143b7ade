export {
  projectServer,
  type ProjectServer,
  type ProjectServerOptions,
} from '../web/testing/project-server.ts'
