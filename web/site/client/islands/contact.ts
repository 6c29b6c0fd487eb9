/** What a link brought: the topic to choose, or the reference of what was sent. The form itself needs no script. */
const asked = new URLSearchParams(location.search)

const topic = document.querySelector<HTMLSelectElement>('#contact-topic')
const wanted = asked.get('topic')
if (topic !== null && [...topic.options].some(({ value }) => value === wanted)) topic.value = wanted ?? ''

const reference = document.querySelector<HTMLElement>('#contact-reference')
const given = asked.get('reference') ?? ''
if (reference !== null && /^LW-[0-9A-Z]{6}$/.test(given)) {
  const place = reference.querySelector('strong')
  if (place !== null) place.textContent = given
  reference.hidden = false
}
