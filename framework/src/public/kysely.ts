export { kysely, surfaceOf } from '../database/kysely.ts'
