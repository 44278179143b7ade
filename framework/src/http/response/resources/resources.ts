export { DatabaseResource as Database } from './database.ts'
