import { DatabaseSync } from 'node:sqlite'

// Holds the write lock of a file from the line "held" until its input ends.
const [file = ''] = process.argv.slice(2)
const database = new DatabaseSync(file)
database.exec('BEGIN IMMEDIATE')
process.stdout.write('held\n')
for await (const _ of process.stdin);
database.exec('ROLLBACK')
database.close()
