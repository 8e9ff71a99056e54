"""Reads one line, as it is posted to a collector, with the classes generated from the definitions of OTLP, and prints what it understood."""

import json

from google.protobuf.json_format import MessageToDict, Parse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

request = Parse(input(), ExportTraceServiceRequest())
print(json.dumps(MessageToDict(request)), flush=True)
