export { kysely, surfaceOf } from '../database/kysely/kysely.ts'
