{% comment %}
The service worker: the addresses to keep, which views/service_worker.py lists, and the scripts that keep them
(js/service_worker.js and what it uses). `shell`, `scripts`, `version`.
{% endcomment %}const VERSION = "{{ version }}";
const OFFLINE = "{% url 'offline' %}";
self.TOKEN = "{% url 'token' %}";
const SHELL = [{% for url in shell %}
  "{{ url }}",{% endfor %}
];
importScripts({% for url in scripts %}
  "{{ url }}",{% endfor %}
);
