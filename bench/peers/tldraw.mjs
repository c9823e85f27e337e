// tldraw sync: one TLSocketRoom a path, the whole tldraw schema, in memory.
// (It sends a session at most one message every 1/60 s.)
import http from 'node:http'
import { WebSocketServer } from 'ws'
import { TLSocketRoom } from '@tldraw/sync-core'
import { createTLSchema } from '@tldraw/tlschema'

const schema = createTLSchema()
const rooms = new Map()
let sessions = 0

const sockets = new WebSocketServer({ noServer: true })
sockets.on('connection', (socket, request) => {
  const path = request.url
  let room = rooms.get(path)
  if (!room) {
    // The time-out is an hour: an idle room is to stay open while it is measured.
    room = new TLSocketRoom({ schema, clientTimeout: 3_600_000 })
    rooms.set(path, room)
  }
  room.handleSocketConnect({ sessionId: `session-${sessions++}`, socket })
})
const server = http.createServer((_request, response) => response.end('okay'))
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (ws) => sockets.emit('connection', ws, request))
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ port: server.address().port, schema: schema.serialize() })),
)
