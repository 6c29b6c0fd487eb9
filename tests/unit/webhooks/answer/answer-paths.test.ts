import { describe, expect, it } from 'vitest'
import { newJsonPathSchema } from '#core/contract/webhooks/json-path.ts'
import { judgeBody } from '#core/domain/webhooks/answer/judge-body.ts'

const read = (path: string): string => {
  const { success, data, error } = newJsonPathSchema.safeParse(path)
  return success ? data : (error.issues[0]?.message ?? '')
}

describe('a path to a value', () => {
  it.each([
    ['status', 'status'],
    ['data.lead_id', 'data.lead_id'],
    ['leads[0].id', 'leads[0].id'],
    ['[0].id', '[0].id'],
    [' status ', 'status'],
    ['lead id', 'lead id'],
    ['application/json', 'application/json'],
    ['$.status', '$.status'],
    ['$[0].id', '$[0].id'],
    ['@.status', '@.status'],
    ['\u200bdata.id\u200b\ufeff', 'data.id'],
    ['data.\u200blead_id', 'data.lead_id'],
    ['what_is_your_carrier?', 'what_is_your_carrier?'],
    ['_id.$oid', '_id.$oid'],
    ['$id', '$id'],
    ['$values[0].id', '$values[0].id'],
    ['@odata.id', '@odata.id'],
    ['response.status', 'response.status'],
    ['Q1: name', 'Q1: name'],
    ['Phone (number)', 'Phone (number)'],
    ['Email*', 'Email*'],
    ['steps.0.id', 'steps.0.id'],
    ['lead(s).0.id (new)', 'lead(s).0.id (new)'],
  ])('%j is kept as %j', (given, kept) => {
    expect(read(given)).toBe(kept)
  })

  it.each([
    ['/status', 'status'],
    ['/data/0/id', 'data[0].id'],
    ['#/data/id', 'data.id'],
    ['/a~1b/c', 'a/b.c'],
    ["$['status']", '$.status'],
    ['$["data"]["lead id"]', '$.data.lead id'],
    ['data["id"]', 'data.id'],
    ['["data"].id', 'data.id'],
    ['.status', 'status'],
    ['status.', 'status'],
    ['data . id', 'data.id'],
    ['data.[0].id', 'data[0].id'],
    ['data[0]id', 'data[0].id'],
    ['data[ 0 ].id', 'data[0].id'],
    ['data->id', 'data.id'],
    ["data->>'id'", 'data.id'],
    ['"status"', 'status'],
    ['data.id;', 'data.id'],
    ['data.id,', 'data.id'],
    ['leads[0];', 'leads[0]'],
    ['"data.id",', 'data.id'],
    ['"status":', 'status'],
    ['/data/id,', 'data.id'],
    ["'data.id'", 'data.id'],
    ['`status`', 'status'],
    ['{{status}}', 'status'],
    ['{{ data.id }}', 'data.id'],
    ['data[id]', 'data.id'],
    ['data?.id', 'data.id'],
    ['$.data?.[0]?.id', '$.data[0].id'],
    ['{status}', 'status'],
    ['${data.id}', 'data.id'],
    ['{{{data.id}}}', 'data.id'],
    ['“status”', 'status'],
    ['‘data.id’', 'data.id'],
    ['"data"."id"', 'data.id'],
    ["'data'.'lead id'", 'data.lead id'],
    ['data."lead id"', 'data.lead id'],
    ['."data"."id"', 'data.id'],
    ['leads[0]."id"', 'leads[0].id'],
    ['./status', 'status'],
    ['data → id', 'data.id'],
    ['data > id', 'data.id'],
    ['data!.id', 'data.id'],
    ['data!!.id', 'data.id'],
    ['data/leads[0]/id', 'data.leads[0].id'],
    ['(data.id)', 'data.id'],
    ['<data.id>', 'data.id'],
    ['<<data.id>>', 'data.id'],
    ['#{data.id}', 'data.id'],
    ['{!data.id}', 'data.id'],
    ['data.["id"]', 'data.id'],
    ['len(errors)', 'errors.length'],
    ['count($errors)', '$errors.length'],
    ['data.id:', 'data.id'],
    ['[data][id]', 'data.id'],
    ['response[:data][:id]', 'response.data.id'],
    ['name[first]', 'name.first'],
    // From a table of fields.
    ['data.id (integer)', 'data.id'],
    ['data.id : string', 'data.id'],
    ['id: int', 'id'],
    ['data.id – string', 'data.id'],
    ['data.id [string]', 'data.id'],
    ['data.id <string>', 'data.id'],
    ['data.id*', 'data.id'],
    // Other tools and languages put the answer's name first. n8n:
    ['{{ $json.message }}', '$json.message'],
    ['={{ $json.data.id }}', '$json.data.id'],
    ['$input.item.json.data.id', 'data.id'],
    ['{{ $input.first().json["id"] }}', 'id'],
    ['$node["HTTP Request"].json["data"]["id"]', 'data.id'],
    ["{{ $('HTTP Request').item.json.leads[0].id }}", 'leads[0].id'],
    ['$("Send lead").first().json.id', 'id'],
    ['$response.body.data.id', 'data.id'],
    // OpenAPI expressions.
    ['$response.body#/data/id', 'data.id'],
    // PHP.
    ["$response['status']", '$response.status'],
    ['$response->data->id', '$response.data.id'],
    ["$response->json()['id']", 'id'],
    ['json_decode($response->getBody(), true)["data"]["id"]', 'data.id'],
    // JavaScript, Postman, Google Apps Script, Python, Power Automate, Pipedream.
    ['(await response.json()).data.id', 'data.id'],
    ['pm.response.json().data.id', 'data.id'],
    ['JSON.parse(response.getContentText()).id', 'id'],
    ['response.json()["id"]', 'id'],
    ['json["lead_id"]', 'lead_id'],
    ["r.json()['data']['id']", 'data.id'],
    // Power Automate, casts, commands and examples.
    [`body('Create_contact')?['contact/id']`, 'contact.id'],
    [`triggerBody()?['Author/Email']`, 'Author.Email'],
    ['id (e.g. 12345)', 'id'],
    ['id, e.g. 12345', 'id'],
    ['lead_id – ID of the new lead.', 'lead_id'],
    ['(string)json["contact"]["id"]', 'contact.id'],
    [`(int) $response['id']`, '$response.id'],
    ['jq -r .contact.id', 'contact.id'],
    ["body('HTTP')?['data']?['id']", 'data.id'],
    ["@{body('HTTP')?['id']}", 'id'],
    ['.data[0].id?', 'data[0].id'],
    ['{{steps.http.$return_value.id}}', 'id'],
  ])('%j can never match, and is refused with %j', (given, right) => {
    expect(read(given)).toBe(`Write ${right} instead of ${given}`)
    expect(newJsonPathSchema.safeParse(right).success).toBe(true)
  })

  it.each([
    "first(body('HTTP')?['value'])?['id']",
    "str(r.json()['id'])",
    'leads[*].id',
    'leads.*.id',
    'data[]',
    '$..id',
    'data..id',
    'leads[-1].id',
    'leads[i].id',
    'leads[n].id',
    'status: ok',
    'success:true',
    'lead - id',
    'data – lead – id',
    'lead_id - Integer',
    'id, required',
    '!success',
    'errors.length > 0',
    'errors.length < 1',
    'String(data.id)',
    "JSON_VALUE(body,'$.id')",
    "json_extract(data, '$.id')",
    'leads[1:2]',
    'status == "ok"',
    '$.data.length()',
    'status = ok',
    'status=ok',
    'data.**',
    '{status',
    // Make and Zapier number their steps, and only they know which one is the answer.
    '{{1.data.id}}',
    '{{2041__data__id}}',
    "$response->json('data.id')",
    "json.getJSONObject('data').getString('id')",
    'response.getData().getId()',
    '$number(data.id)',
    '.data | .id',
    'errors | length',
    '.errors|length',
    "$data['id'] ?? null",
    // The dot within a name would split it.
    'data["a.b"]',
    "data['a.b']",
    'data."a.b"',
    '/a.b/c',
  ])('%j is not a plain path, and is refused with the path to use', (given) => {
    expect(read(given)).toBe(
      'A path leads to one value of a JSON answer and is written like data.lead_id or leads[0].id',
    )
  })

  it.each(['', ' ', '[', ']', '/', '.', 'a'.repeat(201)])('%j is refused', (given) => {
    expect(newJsonPathSchema.safeParse(given).success).toBe(false)
  })
})

describe('a path from the root', () => {
  const judge = (path: string, body: string) =>
    judgeBody(
      { successRule: { accepted: { path, equals: 'ok' } }, capturePath: null },
      { body, bodyTruncated: false },
    ).outcome

  it.each([
    ['$.status', '{"status":"ok"}'],
    ['$.data[0].status', '{"data":[{"status":"ok"}]}'],
    ['$[0].status', '[{"status":"ok"}]'],
    ['$[0]', '["ok"]'],
    ['$', '"ok"'],
    // Programs that convert XML to JSON name attributes like this.
    ['$.status', '{"$":{"status":"ok"},"status":"no"}'],
    ['status', '{"status":" ok\\n"}'],
    ['@.status', '{"status":"ok"}'],
    ['@.status', '{"@":{"status":"ok"},"status":"no"}'],
    // The answer's name in n8n and PHP.
    ['$json.status', '{"status":"ok"}'],
    ['$response.data[0].status', '{"data":[{"status":"ok"}]}'],
    ['$data[0].status', '[{"status":"ok"}]'],
    ['$data.status', '{"data":{"status":"ok"}}'],
    ['$status', '{"status":"ok"}'],
    // Real members of .NET, Sage, MongoDB and OData.
    ['$id', '{"$id":"ok","id":"no"}'],
    ['$values[0].status', '{"$values":[{"status":"ok"}]}'],
    ['_id.$oid', '{"_id":{"$oid":"ok"}}'],
    ['@odata.id', '{"@odata.id":"ok","id":"no"}'],
    ['lead.status', '{"lead.status":"ok"}'],
  ])('%s finds the same member in %s, even if the path was stored before', (path, body) => {
    expect(judge(path, body)).toBe('accepted')
    expect(judge(path, '{"other":"ok"}')).toBe('unclear')
  })
})
