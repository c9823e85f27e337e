// The y-websocket server: its own connection handler, defaults, in memory.
import http from 'node:http'
import { WebSocketServer } from 'ws'
import { setupWSConnection } from '@y/websocket-server/utils'

const sockets = new WebSocketServer({ noServer: true })
sockets.on('connection', setupWSConnection)
const server = http.createServer((_request, response) => response.end('okay'))
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (ws) => sockets.emit('connection', ws, request))
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))
