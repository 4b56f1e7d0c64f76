/* SPDX-License-Identifier: MIT */
#include "record/events/finish.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output/topics.h"
#include "record/capture/spool.h"
#include "record/events/events.h"
#include "record/events/trouble.h"

static ser_status survey_spool(ser_record_survey *survey, const char *path, ser_error *error)
{
    ser_spool_reader *reader;
    const ser_record *records;
    size_t count = 1;
    ser_status status = ser_spool_open(&reader, path, error);
    while (status == SER_OK && count > 0) {
        status = ser_spool_next(reader, &records, &count, error);
        if (status == SER_OK)
            ser_record_survey_add(survey, records, count);
    }
    ser_spool_reader_close(reader);
    return status;
}

static ser_status make_events(ser_event_maker *maker, const char *path)
{
    ser_spool_reader *reader;
    const ser_record *records;
    size_t count = 1;
    ser_status status = ser_spool_open(&reader, path, maker->error);
    while (status == SER_OK && maker->status == SER_OK && count > 0) {
        status = ser_spool_next(reader, &records, &count, maker->error);
        if (status == SER_OK)
            ser_event_maker_add(maker, records, count);
    }
    if (reader)
        maker->result->cut = ser_spool_is_cut(reader);
    ser_log_info(SPOOL, "%s was read%s", path, maker->result->cut ? ", up to a damaged block" : "");
    ser_spool_reader_close(reader);
    if (status != SER_OK)
        return status;
    ser_event_maker_end(maker);
    return maker->status;
}

static void add_note_of_elisions(ser_event_maker *maker)
{
    const ser_finish_result *result = maker->result;
    char text[256];
    int length;
    if (result->elided == 0)
        return;
    length = snprintf(text, sizeof text,
                      "%" PRIu64 " operations on memory that threads did not share were elided",
                      result->elided);
    ser_symbols_add_note(maker->symbols, text, (size_t)length);
    if (result->late == 0)
        return;
    length = snprintf(text, sizeof text,
                      "late accesses, which come after such operations of other threads in every "
                      "interleaving: %" PRIu64,
                      result->late);
    ser_symbols_add_note(maker->symbols, text, (size_t)length);
}

static void add_note_of_handovers(ser_event_maker *maker)
{
    char text[256];
    uint32_t count = maker->survey->handovers.count;
    if (count == 0)
        return;
    int length = snprintf(text, sizeof text,
                          "locks that a thread released without holding them: %" PRIu32
                          "; their operations are chains of take and post, which keep the order "
                          "in which they happened",
                          count);
    ser_symbols_add_note(maker->symbols, text, (size_t)length);
}

static void add_note_of_build(ser_event_maker *maker)
{
    char text[256], *build = ser_labels_build(maker->labels);
    int length = snprintf(text, sizeof text, SER_FINISH_BUILD "%s", build);
    if (*build)
        ser_symbols_add_note(maker->symbols, text, (size_t)length);
    free(build);
}

static void add_notes(ser_event_maker *maker, const char **notes)
{
    static const char shared[] =
        "what only one thread accessed, and calls in which nothing else happened, were dropped";
    add_note_of_build(maker);
    if (maker->redact)
        ser_symbols_add_note(maker->symbols, SER_FINISH_REDACTED, strlen(SER_FINISH_REDACTED));
    if (maker->shared)
        ser_symbols_add_note(maker->symbols, shared, strlen(shared));
    add_note_of_elisions(maker);
    add_note_of_handovers(maker);
    ser_trouble_note(maker);
    for (; notes && *notes; notes++)
        ser_symbols_add_note(maker->symbols, *notes, strlen(*notes));
}

static ser_status write_trace(ser_event_maker *maker, const ser_finish_options *options)
{
    ser_status status = ser_writer_open(&maker->writer, options->trace, SER_WRITE_NATIVE,
                                        maker->symbols, maker->error);
    if (status == SER_OK)
        status = make_events(maker, options->spool);
    if (status == SER_OK) {
        add_notes(maker, options->notes);
        status = ser_writer_finish(maker->writer, maker->error);
    }
    ser_writer_close(maker->writer);
    return status;
}

static ser_status finish_surveyed(const ser_finish_options *options, ser_record_survey *survey,
                                  ser_finish_result *result, ser_error *error)
{
    ser_event_maker *maker = ser_alloc(1, sizeof *maker);
    ser_verifier verifier = {0};
    ser_record_survey_finish(survey);
    ser_event_maker_init(maker);
    maker->survey = survey;
    maker->symbols = ser_symbols_create();
    maker->labels = ser_labels_create(&survey->definitions, &survey->fields, maker->symbols);
    maker->known = ser_labels_all_known(maker->labels);
    maker->verifier = options->verify ? &verifier : NULL;
    maker->shared = options->shared;
    maker->redact = options->redact;
    maker->lost_in_all = options->lost;
    maker->result = result;
    maker->error = error;
    ser_status status = write_trace(maker, options);
    ser_vector_free(&verifier.variables);
    ser_labels_destroy(maker->labels);
    ser_symbols_destroy(maker->symbols);
    ser_event_maker_fini(maker);
    free(maker);
    return status;
}

ser_status ser_finish(const ser_finish_options *options, ser_record_survey *survey,
                      ser_finish_result *result, ser_error *error)
{
    ser_record_survey *own = survey ? NULL : ser_record_survey_create();
    if (own && options->shared)
        ser_record_survey_watch_sharing(own);
    ser_status status = own ? survey_spool(own, options->spool, error) : SER_OK;
    *result = (ser_finish_result){0};
    if (status == SER_OK)
        status = finish_surveyed(options, own ? own : survey, result, error);
    ser_record_survey_destroy(own);
    return status;
}
