// A rule matches what a person sees, however the answer encodes it.
import { describe, expect, it } from 'vitest'
import { judge } from './judge-answer.ts'

describe('a rule finds a text', () => {
  it.each([
    ['in straight marks, typed in typographic ones', '“status”:“ok”', '{"status":"ok"}'],
    ['in typographic marks, typed in such', '“done”', '<p>“Done”</p>'],
    ['in typographic marks, typed in straight ones', 'is "ok"', 'Lead is “OK”'],
    ['without what is invisible at its end', 'it’s done\u200b', "<p>It's done</p>"],
    ['with marks that WordPress turns', "We've got it", '<p>We&#8217;ve got it</p>'],
    [
      'with letters by their HTML names',
      "n'a pas pu être envoyé",
      'n&rsquo;a pas pu &ecirc;tre envoy&eacute;',
    ],
    ['with letters beyond Latin 1', 'Vaša poruka nije', '<p>Va&scaron;a poruka nije poslana</p>'],
    ['with names in capitals, beside unknown ones', 'für Ihre', 'Dank F&Uuml;R Ihre &unknown; &Zz9;'],
    ['with a Turkish capital', 'işlem başarılı', 'İşlem başarılı'],
    ['where a word is set off', 'Error! Not sent.', '<strong>Error!</strong> Not <em>sent</em>.'],
    ['where its words stand on two lines', 'Error! Not sent.', '<h2>Error!</h2><p>Not sent.</p>'],
    ['where comments part its words', 'Error! Not sent.', '<p>Error! <!-- -->Not sent<!-- -->.</p>'],
    ['in XML without blanks, typed with them', '<r>\n <ok>1</ok>\n</r>', '<r><ok>1</ok></r>'],
    ['in XML with blanks, typed without', '<r><ok>1', '<r>\n  <ok>1</ok>\n</r>'],
  ])('%s', (_how, contains, body) => {
    expect(judge({ accepted: { contains } }, body)).toMatchObject({ outcome: 'accepted' })
  })

  it('only with its quotation marks', () => {
    expect(judge({ accepted: { contains: '“done”' } }, 'done')).toMatchObject({ outcome: 'unclear' })
  })

  it.each([
    ['Envoyée !', 'Envoyée\u00a0!'],
    ['We’ve got it …', "We've got it ..."],
  ])('also as a whole value: %j for %j', (equals, value) => {
    expect(judge({ accepted: { path: 'm', equals } }, JSON.stringify({ m: value }))).toMatchObject({
      outcome: 'accepted',
    })
  })
})

describe('a name of a path', () => {
  it.each([
    ['Policy No', '{"Policy No.":"P-1"}'],
    ['fields.Kunden-Nr', '{"fields":{"Kunden-Nr.":"P-1"}}'],
    ['Ref.No', '{"Ref. No":"P-1"}'],
    ['fields.Enq.No', '{"fields":{"Enq. No":"P-1"}}'],
    ['[0].Ref.No', '[{"Ref. No":"P-1"}]'],
    ['Reference No', '{"Reference No:":"P-1"}'],
    ['Request ID', '{"request_id":"P-1"}'],
    ['data.leadid', '{"data":{"LeadId":"P-1","leadid2":"P-2"}}'],
    ['id', '{"ID":"P-2","id":"P-1"}'],
  ])('%s finds its member in %s', (capturePath, body) => {
    expect(judge(null, body, { capturePath })).toMatchObject({ receiverId: 'P-1' })
  })

  it('finds neither of two similar members', () => {
    expect(judge(null, '{"ID":"P-2","Id":"P-1"}', { capturePath: 'id' })).toMatchObject({ receiverId: null })
  })

  it('is compared quickly with many members, however they could be combined', () => {
    const path = Array.from({ length: 66 }, (_name, index) => (index % 2 === 0 ? 'a' : '-')).join('.')
    let body = '1'
    for (let depth = 0; depth < 60; depth += 1) body = `{"a":${body},"aa":{},"a-":{},"a.-":{}}`
    const startedAt = performance.now()
    for (let again = 0; again < 100; again += 1) judge(null, body, { capturePath: path })
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })
})
