// A form with a file, streamed to disk; the response says what arrived.
//
// GET /            → 200 <form
import { Server, type Handler } from 'framework/http'
import { Forms } from 'framework/middlewares'

const server = new Server().configure({ port: Number(process.env['PORT'] ?? 8087) })
server.use(new Forms())

server.router.get('/', (_request, response) =>
  response.html(
    '<form method="post" enctype="multipart/form-data"><input name="note"><input type="file" name="file"><button>Send</button></form>',
  ),
)
const list: Handler = ({ fields, files }) => ({
  note: fields['note'],
  files: files.map(({ filename, type, size }) => ({ filename, type, size })),
})
server.router.post('/', list, { uploads: { files: 1, bytes: 5_000_000 } })

const { host, port } = await server.listen()
process.stdout.write(`http://${host}:${port}\n`)
