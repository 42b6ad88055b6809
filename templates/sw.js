{% comment %}
The service worker as this phone gets it: what to keep, and the code that keeps it (static/js/service_worker.js).
`shell`, `version`.
{% endcomment %}const VERSION = "{{ version }}";
const OFFLINE = "{% url 'offline' %}";
self.TOKEN = "{% url 'token' %}";
const SHELL = [{% for url in shell %}
  "{{ url }}",{% endfor %}
];
importScripts(
  "{% static 'js/outbox_store.js' %}",
  "{% static 'js/outbox.js' %}",
  "{% static 'js/form_refill.js' %}",
  "{% static 'js/service_worker.js' %}",
);
