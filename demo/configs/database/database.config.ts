import { databaseScope } from 'framework'

// DATABASE_URL. `framework migrate` and `framework seed` read it from the same place.
export default databaseScope
