import { Router, type Request, type Response } from 'express'
import { z } from 'zod'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { AuthError, validationFailed } from '../auth-error.ts'
import { readCaller, type Caller } from '#server/identity/caller.ts'
import { findAccount, listAccounts } from '#server/accounts/people/data/accounts.ts'
import { describeFactor, describeUser } from '../describe-user.ts'
import { isUuid } from '#server/identity/is-uuid.ts'
import { AUDIENCE, issuerOf } from '#server/identity/access-token.ts'
import { metadataSchema, readBody, receiveBody } from '../read-body.ts'
import { readRedirect } from '../read-redirect.ts'
import { readEmail, userAttributesBody } from '../read-user-attributes.ts'
import { requireService, type Administrator } from '#server/accounts/guards/require-service.ts'
import { createUserByAdmin } from '#server/accounts/people/create-user-by-admin.ts'
import { deleteUser } from '#server/accounts/people/delete-user.ts'
import { generateLink, LINK_TYPES } from '#server/accounts/codes/generate-link.ts'
import { inviteUser } from '#server/accounts/people/invite-user.ts'
import { removeFactorByAdmin } from '#server/accounts/factors/remove-factor-by-admin.ts'
import { updateUserByAdmin, userNotFound } from '#server/accounts/people/update-user-by-admin.ts'

type Handle = (call: {
  request: Request
  response: Response
  administrator: Administrator
  caller: Caller
}) => Promise<void>

const DEFAULT_PAGE = 50
const LARGEST_PAGE = 1000

const data = metadataSchema.default({})
const inviteBody = z.object({ email: z.string().default(''), data })
const linkBody = z.object({
  type: z.string().max(40).default(''),
  email: z.string().default(''),
  new_email: z.string().default(''),
  password: z.string().default(''),
  redirect_to: z.string().default(''),
  data,
})
const deleteBody = z.object({ should_soft_delete: z.boolean().default(false) })

/**
 * Calls for administrators: users and their factors, invitations, and links that the administrators send
 * themselves.
 */
export function adminRoutes(context: AuthContext): Router {
  const router = Router()
  const { db } = context

  /** The caller is authorised before a byte of the body is read. */
  const route = (method: 'get' | 'post' | 'put' | 'delete', path: string, handle: Handle): void => {
    const administrators = new WeakMap<Request, Administrator>()
    router[method](
      path,
      async (request, _response, next) => {
        const needs = method === 'get' ? 'read' : 'people'
        administrators.set(request, await requireService(context, request.get('Authorization'), needs))
        next()
      },
      receiveBody,
      async (request, response) => {
        const administrator = administrators.get(request)
        if (administrator === undefined) throw new Error('an administrator got past the gate unseen')
        await handle({ request, response, administrator, caller: readCaller(request) })
      },
    )
  }

  route('post', '/invite', async ({ request, response, administrator, caller }) => {
    const { email, data } = readBody(request, inviteBody)
    const invitation = { email: requireEmail(email), data, redirectTo: readRedirect(context, request) }
    response.json(describeUser(await inviteUser(context, invitation, administrator, caller)))
  })

  route('post', '/admin/generate_link', async ({ request, response, administrator, caller }) => {
    const { type: given, email, new_email, password, data, redirect_to } = readBody(request, linkBody)
    const type = LINK_TYPES.find((known) => known === given)
    if (type === undefined) throw validationFailed(`Invalid email action link type requested: ${given}`)
    const redirectTo = readRedirect(context, request, redirect_to)
    const wanted = { type, email: requireEmail(email), newEmail: readEmail({ email: new_email }), password }
    const { account, ...link } = await generateLink(
      context,
      { ...wanted, data, redirectTo },
      administrator,
      caller,
    )
    response.json({ ...describeUser(account), ...link, redirect_to: redirectTo })
  })

  route('post', '/admin/users', async ({ request, response, administrator, caller }) => {
    const given = readBody(request, userAttributesBody)
    response.json(describeUser(await createUserByAdmin(context, given, administrator, caller)))
  })

  route('get', '/admin/users', async ({ request, response }) => {
    const page = readCount(request.query['page'], 1, Number.MAX_SAFE_INTEGER)
    const perPage = readCount(request.query['per_page'], DEFAULT_PAGE, LARGEST_PAGE)
    const { accounts, total } = await listAccounts(db, { page, perPage })
    response.set({
      'X-Total-Count': String(total),
      Link: linkPages(`${issuerOf(context)}/admin/users`, { page, perPage, total }),
    })
    response.json({ users: accounts.map(describeUser), aud: AUDIENCE })
  })

  route('get', '/admin/users/:id', async ({ request, response }) => {
    response.json(describeUser(await requireAccount(context, readId(request, 'id', 'user_id'))))
  })

  route('put', '/admin/users/:id', async ({ request, response, administrator, caller }) => {
    const id = readId(request, 'id', 'user_id')
    const given = readBody(request, userAttributesBody)
    response.json(describeUser(await updateUserByAdmin(context, id, given, administrator, caller)))
  })

  route('delete', '/admin/users/:id', async ({ request, response, administrator, caller }) => {
    const id = readId(request, 'id', 'user_id')
    const { should_soft_delete: isSoft } = readBody(request, deleteBody)
    await deleteUser(context, id, { isSoft }, administrator, caller)
    response.json({})
  })

  route('get', '/admin/users/:id/factors', async ({ request, response }) => {
    const { factors } = await requireAccount(context, readId(request, 'id', 'user_id'))
    response.json(factors.map(describeFactor))
  })

  route(
    'delete',
    '/admin/users/:id/factors/:factor',
    async ({ request, response, administrator, caller }) => {
      const id = readId(request, 'id', 'user_id')
      const factorId = readId(request, 'factor', 'factor_id')
      response.json(
        describeFactor(await removeFactorByAdmin(context, { id, factorId }, administrator, caller)),
      )
    },
  )
  return router
}

function requireEmail(given: string): string {
  const email = readEmail({ email: given })
  if (email === undefined) throw validationFailed('An email address is required')
  return email
}

async function requireAccount({ db }: AuthContext, id: string) {
  const account = await findAccount(db, id)
  if (account === undefined) throw userNotFound()
  return account
}

function readId(request: Request, name: string, shown: string): string {
  const id = request.params[name]
  if (typeof id === 'string' && isUuid(id)) return id.toLowerCase()
  const code = shown === 'user_id' ? 'validation_failed' : 'mfa_factor_not_found'
  throw new AuthError(404, code, `${shown} must be an UUID`)
}

function readCount(given: unknown, initial: number, most: number): number {
  if (given === undefined || given === '') return initial
  if (typeof given !== 'string' || !/^\d{1,9}$/.test(given) || Number(given) < 1)
    throw validationFailed('Bad Pagination Parameters: page and per_page must be whole numbers from 1')
  return Math.min(Number(given), most)
}

/** RFC 8288. The client reads the first parameter of each address, so the page comes first. */
function linkPages(
  url: string,
  { page, perPage, total }: { page: number; perPage: number; total: number },
): string {
  const last = Math.max(1, Math.ceil(total / perPage))
  const link = (to: number, rel: string) => `<${url}?page=${to}&per_page=${perPage}>; rel="${rel}"`
  return [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', ')
}
