import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { logRequests } from '#server/http/log-requests.ts'

const ID = '01900000-0000-7000-8000-000000000000'

/** The path that the log gets of a request that failed. */
function pathInLog(url: string): string | undefined {
  let path: string | undefined
  const note = (line: { req: { path: string } }): void => {
    path = line.req.path
  }
  const logger = { isLevelEnabled: () => true, debug: note, info: note, warn: note }
  const metrics = { observe: () => undefined }
  const request = Object.assign(new IncomingMessage(new Socket()), { originalUrl: url, method: 'GET' })
  const response = new ServerResponse(request)
  const handler = logRequests({ logger, operations: { metrics } } as never)
  void handler(request as unknown as Request, response as unknown as Response, () => undefined)
  response.emit('close')
  return path
}

test.each([
  [`/api/v1/leads/${ID}?search=rosa`, `/api/v1/leads/${ID}`],
  ['/api/v1/outcomes?token=lw_outcome_abc', '/api/v1/outcomes'],
  [`/api/v1/outcomes/lw_outcome_${'a'.repeat(112)}`, '/api/v1/outcomes/…'],
  ['/api/v1/leads/rosa@example.com', '/api/v1/leads/…'],
  ['/api/v1/leads/+12025550143', '/api/v1/leads/…'],
  [`/storage/v1/object/evidence/${ID}/rosa-example.mp3`, `/storage/v1/object/evidence/${ID}/…`],
  [
    `/storage/v1/object/sign/evidence/${ID}/call/rosa.mp3?token=e30`,
    `/storage/v1/object/sign/evidence/${ID}/…/…`,
  ],
  ['/storage/v1/object/recordings/rosa.mp3', '/storage/v1/object/recordings/…'],
  ['/storage/v1/object/list/evidence', '/storage/v1/object/list/evidence'],
  ['/storage/v1/bucket/evidence', '/storage/v1/bucket/evidence'],
])('of %s the log gets %s', (url, logged) => {
  expect(pathInLog(url)).toBe(logged)
})
