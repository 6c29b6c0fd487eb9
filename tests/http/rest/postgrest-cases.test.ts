import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenLogRow } from '#tests/support/given/log-rows.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { LIBRARIES, openRest, type Library, type RestClient } from './open-rest.ts'

/**
 * The cases of postgrest-js' own tests (basic, filters, transforms, relationships) under their names, asked of our
 * tables by both versions of the library.
 */
let app: TestApp
const people: Partial<Record<Library, Person>> = {}
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const NAMES = ['awesome', 'dragarcia', 'jsonuser', 'kiwicopter', 'supabot']
const ENDPOINT = 'https://crm.example.com/hook'

describe.each(Object.keys(LIBRARIES) as Library[])('supabase-js %s', (library) => {
  let client: RestClient
  let owner: Person
  const users = () => client.from('client_webhook_configs')
  beforeAll(async () => {
    owner = people[library] ??= await app.newApprovedClient()
    client = await openRest(app, library, owner)
    for (const name of NAMES) {
      const { error } = await users().insert({ webhook_name: name, endpoint_url: ENDPOINT })
      if (error !== null) throw new Error(error.message)
    }
  })
  const names = (data: unknown) => (data as { webhook_name: string }[]).map((row) => row.webhook_name)

  describe('basic', () => {
    test('basic select table', async () => {
      const { status, data, error } = await users().select()
      expect({ status, error }).toEqual({ status: 200, error: null })
      expect(names(data).toSorted()).toEqual(NAMES)
    })
    test('basic select returns types override', async () => {
      const { data } = await users().select('webhook_name, is_active').eq('webhook_name', 'supabot')
      expect(data).toEqual([{ webhook_name: 'supabot', is_active: true }])
    })
    test('basic select with maybeSingle yielding more than one result', async () => {
      const { status, data, error } = await users().select().maybeSingle()
      expect({ status, data, code: error?.code }).toEqual({ status: 406, data: null, code: 'PGRST116' })
    })
    test('basic select with single yielding more than one result', async () => {
      const { status, error } = await users().select().single()
      expect({ status, code: error?.code, details: error?.details }).toEqual({
        status: 406,
        code: 'PGRST116',
        details: 'The result contains 5 rows',
      })
    })
    test('missing table', async () => {
      const { status, error } = await client.from('missing_table').select()
      expect({ status, error }).toMatchObject({
        status: 404,
        error: {
          code: 'PGRST205',
          message: "Could not find the table 'public.missing_table' in the schema cache",
        },
      })
    })
    test('basic rpc', async () => {
      const lead_id_param = '00000000-0000-7000-8000-000000000001'
      const { status, data } = await client.rpc('assign_lead_to_buyer_concurrent', { lead_id_param })
      expect({ status, data }).toMatchObject({
        status: 200,
        data: { outcome: 'not_found', lead_id: lead_id_param },
      })
    })
    test('basic insert, update, delete', async () => {
      const inserted = await users().insert({ webhook_name: 'temporary', endpoint_url: ENDPOINT }).select()
      expect({ status: inserted.status, names: names(inserted.data) }).toEqual({
        status: 201,
        names: ['temporary'],
      })
      const updated = await users()
        .update({ webhook_name: 'renamed' })
        .eq('webhook_name', 'temporary')
        .select()
      expect({ status: updated.status, names: names(updated.data) }).toEqual({
        status: 200,
        names: ['renamed'],
      })
      const deleted = await users().delete().eq('webhook_name', 'renamed').select()
      expect({ status: deleted.status, names: names(deleted.data) }).toEqual({
        status: 200,
        names: ['renamed'],
      })
    })
    test('throwOnError throws errors instead of returning them', async () => {
      await expect(client.from('missing_table').select().throwOnError()).rejects.toMatchObject({
        code: 'PGRST205',
      })
    })
    test('maybeSingle w/ throwOnError', async () => {
      const { data } = await users()
        .select()
        .eq('webhook_name', 'i_do_not_exist')
        .throwOnError()
        .maybeSingle()
      expect(data).toBeNull()
    })
    test('don’t mutate PostgrestClient.headers', async () => {
      await users().select().eq('webhook_name', 'supabot').single()
      expect(names((await users().select()).data).length).toBe(5)
    })
    test('Prefer: return=minimal', async () => {
      const { status, data } = await users().insert({ webhook_name: 'minimal', endpoint_url: ENDPOINT })
      expect({ status, data }).toEqual({ status: 201, data: null })
      expect((await users().delete().eq('webhook_name', 'minimal')).status).toBe(204)
    })
    test('select with no match', async () => {
      const { status, data } = await users().select().eq('webhook_name', 'i_do_not_exist')
      expect({ status, data }).toEqual({ status: 200, data: [] })
    })
    test('update with no match - return=minimal', async () => {
      const { status, data } = await users().update({ is_active: true }).eq('webhook_name', 'i_do_not_exist')
      expect({ status, data }).toEqual({ status: 204, data: null })
    })
    test('update with no match - return=representation', async () => {
      const { status, data } = await users().update({ is_active: true }).eq('webhook_name', 'nobody').select()
      expect({ status, data }).toEqual({ status: 200, data: [] })
    })
    test('maybeSingle returns null for zero rows', async () => {
      const { status, data, error } = await users().select().eq('webhook_name', 'nobody').maybeSingle()
      expect({ status, data, error }).toEqual({ status: 200, data: null, error: null })
    })
    test('select with head:true', async () => {
      const { status, data, count } = await users().select('*', { head: true })
      expect({ status, data, count }).toEqual({ status: 200, data: null, count: null })
    })
    test('select with head:true, count:exact', async () => {
      const { status, count } = await users().select('*', { head: true, count: 'exact' })
      expect({ status, count }).toEqual({ status: 200, count: 5 })
    })
    test('select with head:true, count:planned', async () => {
      const { count } = await users().select('*', { head: true, count: 'planned' })
      expect(count).toBe(5)
    })
    test('select with count:exact of a page', async () => {
      const { status, count, data } = await users().select('id', { count: 'exact' }).range(1, 2)
      expect({ status, count, rows: data?.length }).toEqual({ status: 206, count: 5, rows: 2 })
    })
    test('a range behind the end', async () => {
      const { status, error } = await users().select('id', { count: 'exact' }).range(10, 12)
      expect({ status, code: error?.code }).toEqual({ status: 416, code: 'PGRST103' })
      const asked = { token: owner.token, headers: { prefer: 'count=exact' } }
      const raw = await app.call('GET', '/rest/v1/client_webhook_configs?offset=10', asked)
      expect([raw.status, raw.headers.get('content-range')]).toEqual([416, '*/5'])
    })
    test('insert, update and delete with count:exact', async () => {
      const row = { webhook_name: 'counted', endpoint_url: ENDPOINT }
      expect((await users().insert(row, { count: 'exact' })).count).toBe(1)
      expect(
        (await users().update({ is_active: false }, { count: 'exact' }).eq('webhook_name', 'counted')).count,
      ).toBe(1)
      expect((await users().delete({ count: 'exact' }).eq('webhook_name', 'counted')).count).toBe(1)
    })
    test('a write whose object form finds two rows changes nothing', async () => {
      const { error } = await users()
        .update({ is_active: false })
        .like('webhook_name', '%s%')
        .select()
        .single()
      expect(error?.code).toBe('PGRST116')
      expect((await users().select('id').is('is_active', false)).data).toEqual([])
    })
  })

  describe('filters', () => {
    const found = async (query: PromiseLike<{ data: unknown }>) => names((await query).data).toSorted()
    const all = () => users().select('webhook_name')
    test('or', async () => {
      expect(await found(all().or('webhook_name.eq.supabot,webhook_name.eq.kiwicopter'))).toEqual([
        'kiwicopter',
        'supabot',
      ])
    })
    test('eq', async () => expect(await found(all().eq('webhook_name', 'supabot'))).toEqual(['supabot']))
    test('neq', async () =>
      expect(await found(all().neq('webhook_name', 'supabot'))).toEqual(NAMES.slice(0, 4)))
    test('gt', async () =>
      expect(await found(all().gt('webhook_name', 'jsonuser'))).toEqual(['kiwicopter', 'supabot']))
    test('gte', async () =>
      expect(await found(all().gte('webhook_name', 'kiwicopter'))).toEqual(['kiwicopter', 'supabot']))
    test('lt', async () => expect(await found(all().lt('webhook_name', 'dragarcia'))).toEqual(['awesome']))
    test('lte', async () =>
      expect(await found(all().lte('webhook_name', 'dragarcia'))).toEqual(['awesome', 'dragarcia']))
    test('like', async () => expect(await found(all().like('webhook_name', '%supa%'))).toEqual(['supabot']))
    test('ilike', async () => expect(await found(all().ilike('webhook_name', '%SUPA%'))).toEqual(['supabot']))
    test('is', async () => expect(await found(all().is('disabled_reason', null))).toEqual(NAMES))
    test('in', async () => {
      expect(await found(all().in('webhook_name', ['supabot', 'kiwicopter', 'a,b(c)']))).toEqual([
        'kiwicopter',
        'supabot',
      ])
    })
    test('not', async () =>
      expect(await found(all().not('webhook_name', 'eq', 'supabot'))).toEqual(NAMES.slice(0, 4)))
    test('filter', async () =>
      expect(await found(all().filter('webhook_name', 'eq', 'supabot'))).toEqual(['supabot']))
    test('match', async () => {
      expect(await found(all().match({ webhook_name: 'supabot', is_active: true }))).toEqual(['supabot'])
    })
  })

  describe('transforms', () => {
    const all = () => users().select('webhook_name, is_active')
    test('order', async () => {
      expect(names((await all().order('webhook_name', { ascending: false })).data)).toEqual(
        NAMES.toReversed(),
      )
    })
    test('order on multiple columns', async () => {
      const ordered = all()
        .order('is_active', { ascending: false })
        .order('webhook_name', { nullsFirst: true })
      expect(names((await ordered).data)).toEqual(NAMES)
    })
    test('limit', async () => expect((await all().limit(1)).data?.length).toBe(1))
    test('range', async () => {
      expect(names((await all().order('webhook_name').range(1, 3)).data)).toEqual(NAMES.slice(1, 4))
    })
    test('single', async () => {
      const { status, data } = await all().limit(1).single()
      expect({ status, isObject: !Array.isArray(data) && data !== null }).toEqual({
        status: 200,
        isObject: true,
      })
    })
    test('single on insert', async () => {
      const { status, data } = await users()
        .insert({ webhook_name: 'foo', endpoint_url: ENDPOINT })
        .select('webhook_name')
        .single()
      expect({ status, data }).toEqual({ status: 201, data: { webhook_name: 'foo' } })
      await users().delete().eq('webhook_name', 'foo')
    })
    test('select on insert', async () => {
      const { data } = await users()
        .insert([{ webhook_name: 'bar', endpoint_url: ENDPOINT }])
        .select('is_active')
      expect(data).toEqual([{ is_active: true }])
      await users().delete().eq('webhook_name', 'bar')
    })
    test('maybeSingle', async () => {
      expect((await all().eq('webhook_name', 'i_do_not_exist').maybeSingle()).data).toBeNull()
    })
  })

  test('join select via unique table relationship', async () => {
    const made = await client
      .from('leads')
      .insert({ name: 'Rosa Test', email: 'rosa@example.com' })
      .select('id')
      .single()
    const lead = (made.data as { id: string } | null)?.id ?? ''
    const hook = (await users().select('id').eq('webhook_name', 'supabot').single()).data as {
      id: string
    } | null
    const of = { webhook_config_id: hook?.id ?? '', client_user_id: owner.id }
    await givenLogRow(app.context.db, new Date(), { ...of, lead_id: lead })
    await givenLogRow(app.context.db, new Date(Date.now() - 60_000), { ...of, delivery_status: 'failed' })
    const logs = client.from('webhook_delivery_logs').select('delivery_status, leads(name, email, phone)')
    const { data } = await logs
      .eq('webhook_config_id', of.webhook_config_id)
      .order('created_at', { ascending: false })
    expect(data).toEqual([
      { delivery_status: 'delivered', leads: { name: 'Rosa Test', email: 'rosa@example.com', phone: null } },
      { delivery_status: 'failed', leads: null },
    ])
  })
})
