export { kysely, surfaceOf } from '../data/kysely/kysely.ts'
