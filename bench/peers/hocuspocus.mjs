// Hocuspocus as its own documentation starts it: defaults, no extensions, in memory.
// (Its default coalesces what arrives in one turn of the event loop.)
import { Server } from '@hocuspocus/server'

const server = new Server({ port: 0, address: '127.0.0.1', quiet: true, stopOnSignals: false })
await server.listen()
console.log(JSON.stringify({ port: server.address.port }))
