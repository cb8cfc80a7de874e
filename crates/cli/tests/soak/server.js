// Answers over TLS on all addresses of both families, and exits on SIGTERM.
const fs = require('fs'), https = require('https');
const options = { key: fs.readFileSync('key.pem'), cert: fs.readFileSync('cert.pem') };
const server = https.createServer(options, (request, response) => {
    response.end(`${request.method} ${request.url} from ${request.socket.remoteAddress}\n`);
});
server.listen(8444);
process.on('SIGTERM', () => { server.close(); server.closeAllConnections(); console.log('closed'); });
