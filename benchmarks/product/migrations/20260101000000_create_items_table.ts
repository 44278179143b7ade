// The items are those of the demo.
export { down, up } from '../../../demo/migrations/20260101000000_create_items_table.ts'
