export { DatabaseResource as Database } from './database-resource.ts'
