import type { RequestHandler } from 'express'
import { PROCEDURE } from './assign-procedure.ts'

/**
 * OPTIONS without a preflight's header asks for the methods of a table or of the procedure.
 * @param listWrites the methods that write a table; undefined if there is no such table
 */
export function answerOptions(listWrites: (table: string) => string[] | undefined): RequestHandler {
  const listMethods = (name: string, called: string | undefined): string[] | undefined => {
    if (name === 'rpc') return called === PROCEDURE ? ['POST'] : undefined
    const writes = called === undefined ? listWrites(name) : undefined
    return writes === undefined ? undefined : ['GET', 'HEAD', ...writes]
  }
  return (request, response, next) => {
    const [name = '', called, ...further] = request.path.split('/').slice(1)
    const methods = further.length > 0 ? undefined : listMethods(name, called)
    if (request.method !== 'OPTIONS' || methods === undefined) {
      next()
      return
    }
    response
      .set('Allow', ['OPTIONS', ...methods].join(','))
      .status(200)
      .end()
  }
}
